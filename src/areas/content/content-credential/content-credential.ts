import { z } from 'zod'
import {
  type Action,
  defineResource,
  readAttributes,
  readBack,
  readDraft,
  text,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
import { permissionsKey, presentPermissions } from '../../../records/permissions.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { sql } from '../../../sql.ts'
import { filteredList } from '../shared/filtered.ts'
import { contentName } from '../shared/naming.ts'

/** Answers only the text of a credential, as plain text, for programs that verify signatures. */
const showContent: Action = {
  method: 'GET',
  path: '/:id/content',
  name: 'content',
  summary: 'Show the text of a content credential',
  permissions: ['view_content_credentials'],
  record: { how: 'found', keys: ['id', 'content'] },
  output: z.string().meta({ description: 'The text of the credential.', contentMediaType: 'text/plain' }),
  handle: async (_ctx, _resource, _input, { content }) => ({
    status: 200,
    body: String(content),
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  }),
}

/** Stores the text of a credential, sent as JSON; uploads of files are not accepted. */
const setContent: Action = {
  method: 'POST',
  path: '/:id/content',
  name: 'set_content',
  summary: 'Replace the text of a content credential',
  permissions: ['edit_content_credentials'],
  body: z.object({ content: z.string().meta({ description: 'The text of the credential.' }) }),
  record: { how: 'locked' },
  handle: async (tx, resource, input, stored) => {
    const { content = null } = { ...input.body, ...readAttributes(resource, input.body) }
    const draft = await readDraft(tx, resource, await validate(tx, resource, { content }), stored)
    await updateStored(tx, resource, stored, draft)
    return { status: 200, body: await readBack(tx, resource, stored.id) }
  },
}

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
    transform: presentPermissions(MAY),
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
