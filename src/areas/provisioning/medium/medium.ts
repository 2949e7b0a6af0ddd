import { defineResource, links, text } from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { textIn } from '../../../records/text-in.ts'
import { buildUrlLanguage } from '../../../requests/languages.ts'
import { OS_FAMILIES } from '../operatingsystem/families.ts'

const KEYS = ['path', 'os_family', 'created_at', 'updated_at', 'id', 'name']

const NO_URL = 'URL must be valid and schema must be one of http, https, ftp, and nfs'
const SCHEMES = /^(https?|ftp|nfs):\/\/\S+$/

/** Installation media (core-api §11). */
export const media = defineResource({
  name: 'medium',
  words: { plural: 'media' },
  summary: 'An installation medium: the address at which installers of operating systems find their packages.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    path: textIn(buildUrlLanguage(SCHEMES, NO_URL), {
      required: true,
      pattern: { regexp: SCHEMES, message: NO_URL }, // said of what is too long, too
      search: 'free',
      doc: 'Unique URL; $arch, $major, $minor, $version and $release stand for values of the host.',
    }),
    os_family: text({ oneOf: OS_FAMILIES, doc: 'Only for this family.' }),
    operatingsystems: links('operatingsystem', {
      through: 'medium_operatingsystems',
      show: ['id', 'name', 'title'],
      doc: 'Operating systems that can be installed from it.',
    }),
    ...buildTaxonomyFields('medium'),
  },
  label: 'name',
  views: { list: KEYS, show: [...KEYS, 'operatingsystems', 'locations', 'organizations'] },
  search: [{ name: 'family', type: 'text', column: 'os_family', nullable: true }],
  visibility: { taxable: true },
  routes: { parents: { operatingsystem: 'operatingsystems' } },
})
