import { boolean, links, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'
import { taxonomyFields } from '../../kernel/taxonomies.ts'
import { OS_FAMILIES } from '../operatingsystem/families.ts'
import { source } from '../provisioning-template/source.ts'
import { guardLocked } from './locking.ts'

const KEYS = ['description', 'os_family', 'created_at', 'updated_at', 'name', 'id']

/** Core-api §11. A locked one stays as it is until it is unlocked. */
export const ptables = defineResource({
  name: 'ptable',
  summary: 'A partition table: how an installer lays out disks.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    description: text({ max: 65_535, doc: 'For people.' }),
    layout: source({ max: 200_000, search: 'free', doc: 'A template in the words of the installer.' }),
    snippet: boolean({ initial: false, search: 'explicit', doc: 'Only a part that others take in.' }),
    locked: boolean({ initial: false, search: 'explicit', doc: 'Cannot be changed or deleted.' }),
    os_family: text({ oneOf: OS_FAMILIES, doc: 'Only for this family.' }),
    operatingsystems: links('operatingsystem', {
      through: 'operatingsystem_ptables',
      show: ['id', 'name', 'title'],
      doc: 'What it is for.',
    }),
    ...taxonomyFields('ptable'),
  },
  label: 'name',
  views: {
    list: KEYS,
    show: [...KEYS, 'layout', 'snippet', 'locked', 'operatingsystems', 'locations', 'organizations'],
  },
  permissions: ['lock_ptables'],
  search: [
    { name: 'family', type: 'text', column: 'os_family', nullable: true },
    { name: 'template', type: 'text', column: 'layout', explicit: true },
  ],
  taxable: true,
  parents: { operatingsystem: 'operatingsystems' },
  around: guardLocked('lock_ptables', ['name', 'description', 'layout', 'snippet', 'os_family']),
})
