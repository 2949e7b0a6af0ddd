import { z } from 'zod'
import type { Context } from '../../../context.ts'
import {
  type Action,
  defineResource,
  lock,
  readDraft,
  refuseSendingElsewhere,
  validateBody,
} from '../../../kernel/index.ts'
import { testProvider } from '../../../openid/diagnosis.ts'
import type { Answer } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { buildRedirectUri } from '../openid/addresses.ts'
import { type ProviderRow, toProvider } from '../openid/sources.ts'
import { outcome } from './diagnosis.ts'
import { providerWrites } from './guard.ts'
import { oidcFields, validateProvider } from './oidc-fields.ts'

const KEYS = [
  'issuer',
  'client_id',
  'ca_certificate',
  'scopes',
  'algorithms',
  'clock_skew',
  'audience',
  'attr_login',
  'attr_firstname',
  'attr_lastname',
  'attr_mail',
  'attr_groups',
  'onthefly_register',
  'usergroup_sync',
  'created_at',
  'updated_at',
  'id',
  'type',
  'name',
]

/** Tests a stored provider. Values in the body are tried in place of the stored ones, and are not stored. */
const test: Action = {
  method: 'PUT',
  path: '/:id/test',
  name: 'test',
  summary: 'Test a provider of OpenID Connect, step by step',
  output: z.object({
    id: z.int().meta({ description: 'Id of the source.' }),
    type: z.literal('AuthSourceOidc').meta({ description: 'The kind of the source.' }),
    name: z.string().meta({ description: 'Its name.' }),
    ...outcome.shape,
  }),
  record: { how: 'found' },
  handle: async (ctx, resource, input, { id }): Promise<Answer> => {
    const stored = await lock(ctx, resource, id) // and unlocked at once: no transaction is open while the provider is asked
    const validated = await validateBody(ctx, resource, input.body)
    const draft = await readDraft(ctx, resource, validated, stored)
    refuseSendingElsewhere(resource, stored, draft)
    const row = { ...stored, ...draft } as unknown as ProviderRow
    return {
      status: 200,
      body: { id: stored.id, type: 'AuthSourceOidc', name: stored.name, ...(await tryProvider(ctx, row)) },
    }
  },
}

function tryProvider(ctx: Context, row: ProviderRow) {
  return testProvider(ctx.openid, toProvider(ctx.encryption, row).settings, buildRedirectUri(ctx.origin, row.id))
}

/** Providers of OpenID Connect, as sources of users. */
export const oidcAuthSources = defineResource({
  name: 'auth_source_oidc',
  routes: { notInBatch: true, invalidates: 'identities' },
  words: {
    type: 'AuthSource',
    called: (stored) => `OIDC-${stored.name}`,
  },
  permissions: { word: 'authenticators' },
  summary: 'A provider of OpenID Connect that users log in through.',
  fields: oidcFields,
  label: 'name',
  views: {
    list: [...KEYS, 'locations', 'organizations'],
    show: [...KEYS, 'external_usergroups', 'locations', 'organizations'],
    deleted: KEYS.filter((key) => key !== 'type'),
  },
  readable: {
    type: {
      schema: () => z.literal('AuthSourceOidc').meta({ description: 'The kind of the source.' }),
      sql: () => sql`'AuthSourceOidc'`,
    },
  },
  visibility: { taxable: true },
  records: { where: (_ctx, alias) => sql`${sql.ref(`${alias}.type`)} = 'AuthSourceOidc'`, table: 'auth_sources' },
  rules: [validateProvider],
  wrapWrite: providerWrites,
  actions: [test],
})
