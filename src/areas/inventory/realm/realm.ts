import { defineResource, link, text } from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'

const KEYS = [
  'name',
  'realm_type',
  'created_at',
  'updated_at',
  'id',
  'realm_proxy_id',
  'realm_proxy_name',
  'realm_proxy',
]

/** Realms (core-api §11). */
export const realms = defineResource({
  name: 'realm',
  summary: 'A realm of identities, say of Kerberos, that hosts join.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique, for example EXAMPLE.COM.' }),
    realm_type: text({ required: true, doc: 'Its kind, any word.' }),
    realm_proxy: link('smart_proxy', { show: ['id', 'name', 'url'], doc: 'Smart proxy through which hosts join.' }),
    ...buildTaxonomyFields('realm'),
  },
  label: 'name',
  views: { list: KEYS, show: [...KEYS, 'locations', 'organizations'] },
  search: [{ name: 'type', type: 'text', column: 'realm_type' }],
  visibility: { taxable: true },
})
