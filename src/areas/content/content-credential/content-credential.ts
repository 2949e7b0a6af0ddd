import { defineResource, text } from '../../../kernel/index.ts'
import { permissionsKey, presentPermissions } from '../../../records/permissions.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { sql } from '../../../sql.ts'
import { filteredList } from '../shared/filtered.ts'
import { contentName } from '../shared/naming.ts'
import { setContent, showContent } from './content.ts'

const TYPES = ['gpg_key', 'cert']

const MAY = {
  view_content_credentials: 'view_content_credentials',
  edit_content_credentials: 'edit_content_credentials',
  destroy_content_credentials: 'destroy_content_credentials',
}

const KEYS = [
  'id',
  'name',
  'content_type',
  'content',
  'organization_id',
  'organization',
  'created_at',
  'updated_at',
  'permissions',
]

/** Credentials for content. They are only stored: this service downloads nothing that it could verify with them. */
export const contentCredentials = defineResource({
  name: 'content_credential',
  routes: { surface: 'content' },
  summary: 'A public key that verifies packages, or a certificate of their source.',
  fields: {
    name: contentName({ taken: 'has already been taken', doc: 'Unique in its organization.' }),
    content_type: text({
      required: true,
      oneOf: TYPES,
      search: 'explicit',
      doc: 'gpg_key: a public key, cert: a certificate.',
    }),
    content: text({
      required: true,
      max: 65_536,
      pattern: {
        // Private keys are refused, because everybody who sees the record sees its text.
        regexp: /^(?![\s\S]*PRIVATE KEY)/,
        message: 'must be a public key or a certificate, without a private key',
      },
      doc: 'Its text, which is no secret; private keys are not allowed.',
    }),
    organization: organizationField(),
  },
  label: 'name',
  visibility: { taxable: 'organization' },
  operations: ['show', 'create', 'update', 'delete'],
  views: {
    list: KEYS,
    show: KEYS,
    deleted: KEYS.filter((key) => key !== 'permissions'),
    shown: presentPermissions(MAY),
  },
  readable: { permissions: permissionsKey(MAY) },
  search: [{ name: 'organization_id', type: 'integer', column: 'organization_id', explicit: true }],
  wire: { suggests: true },
  actions: [
    filteredList('content credentials', 'view_content_credentials', {
      name: {
        doc: 'Only the one with exactly this name.',
        where: (value, alias) => sql`${sql.ref(`${alias}.name`)} = ${value}`,
      },
      content_type: {
        doc: 'Only those of this type.',
        where: (value, alias) => sql`${sql.ref(`${alias}.content_type`)} = ${value}`,
      },
    }),
    showContent,
    setContent,
  ],
})
