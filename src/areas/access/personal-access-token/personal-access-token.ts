import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import {
  type Action,
  boolean,
  createRecord,
  defineResource,
  limitToVisible,
  link,
  lock,
  type Resource,
  readBack,
  readDraft,
  resolveParents,
  secret,
  selectChanged,
  selectRecord,
  show,
  storeChange,
  text,
  timestamp,
  validateBody,
} from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { generateToken } from '../identity/tokens.ts'
import { refuseImpersonation } from '../role/escalation.ts'
import { buildOwnerList, limitToOwned } from '../user/owned-records.ts'
import { validateEnd } from './expiry.ts'
import { hideUnreachablePlaces, LIMITS, readLimits, SHOWN_LIMITS, storeLimits } from './limits.ts'
import { refuseToken } from './refuse-token.ts'
import { rotate } from './rotate.ts'

const REVOKING = 'revoke_personal_access_tokens'

/** Revokes a token, which stays as a record. */
const revoke: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'revoke',
  summary: 'Revoke a personal access token',
  permissions: [REVOKING],
  own: true,
  handle: revokeToken,
}

async function revokeToken(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { draft: given, conditions } = await resolveParents(ctx, resource, input)
  await refuseToken(ctx, Number(given.user), REVOKING)
  const shown = await show(ctx, resource, input)
  const id = idOf(shown.body)
  const revocable = [...limitToVisible(ctx, resource, REVOKING, true), ...conditions]
  if (id === undefined || !(await selectRecord(ctx.db, resource, ['id'], id, revocable)))
    throw notFound(resource.name, String(input.params.id))
  return inTransaction(ctx, async (tx) => {
    const stored = await lock(tx, resource, id)
    const changed = selectChanged(resource, stored, { revoked: true })
    if (Object.keys(changed).length > 0) await storeChange(tx, resource, stored, changed)
    return { status: 200, body: await readBack(tx, resource, id) }
  })
}

/** Creates a token and answers its value, this once. */
const create: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Create a personal access token; its value is shown only once',
  permissions: ['create_personal_access_tokens'],
  own: true,
  body: z.object({
    personal_access_token: z
      .object({
        name: z.string().meta({ description: 'Unique among the tokens of its user.' }),
        expires_at: z.string().nullable().optional().meta({ description: 'Expiry time; null: never.' }),
        ...LIMITS,
      })
      .meta({ description: 'The token to create.' }),
  }),
  adds: { token_value: z.string().meta({ description: 'The secret itself. It is shown only once.' }) },
  status: 201,
  handle: createToken,
}

async function createToken(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { draft: given } = await resolveParents(ctx, resource, input)
  await refuseToken(ctx, Number(given.user), 'create_personal_access_tokens')
  await refuseImpersonation(ctx, Number(given.user))
  const validated = await validateBody(ctx, resource, input.body)
  const limits = await readLimits(ctx, resource, input.body)
  const { value, digest } = generateToken()
  return inTransaction(ctx, async (tx) => {
    const draft = await readDraft(tx, resource, validated, null, given)
    const id = await createRecord(tx, resource, { ...draft, token: digest })
    if (limits) await storeLimits(tx.db, id, limits)
    return { status: 201, body: { ...(await readBack(tx, resource, id)), token_value: value } }
  })
}

const KEYS = [
  'created_at',
  'updated_at',
  'id',
  'name',
  'expires_at',
  'active?',
  'user_id',
  'last_used_at',
  'revoked?',
  ...Object.keys(SHOWN_LIMITS),
]

/** Tokens of a user, at paths below the user; stored as digests and shown once (core-api §4.3). */
export const personalAccessTokens = defineResource({
  name: 'personal_access_token',
  routes: { invalidates: 'identities', parents: { user: 'user' }, nestedOnly: true },
  summary: 'A secret that stands for a user in the requests of a program.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique among the tokens of its user.' }),
    expires_at: timestamp({ search: 'explicit', doc: 'Expiry time; null: never.' }),
    last_used_at: timestamp({ readOnly: true, search: 'explicit', doc: 'The last time it was used, to the minute.' }),
    user: link('user', {
      required: true,
      readOnly: true,
      onDelete: 'cascade',
      doc: 'User that the token authenticates.',
    }),
    revoked: boolean({ initial: false, readOnly: true, doc: 'Whether it was revoked.' }),
    // Requests cannot set it.
    token: { ...secret({ column: 'bytea', sentTo: [], doc: 'Its digest.' }), writable: () => ({}) },
  },
  operations: ['show'],
  label: 'name',
  views: { list: KEYS, show: KEYS, transform: async (ctx, _resource, tokens) => hideUnreachablePlaces(ctx, tokens) },
  readable: {
    'active?': {
      schema: () => z.boolean().meta({ description: 'Whether it can be used now.' }),
      sql: (alias) =>
        sql`(not ${sql.ref(`${alias}.revoked`)} and coalesce(${sql.ref(`${alias}.expires_at`)} > now(), true))`,
    },
    'revoked?': {
      schema: () => z.boolean().meta({ description: 'Whether it was revoked.' }),
      sql: (alias) => sql.ref(`${alias}.revoked`),
    },
    ...SHOWN_LIMITS,
  },
  rules: [(_token, { expires_at: end, revoked }, ctx) => (revoked ? undefined : validateEnd(ctx, end))],
  records: { own: limitToOwned, ownOperations: ['list', 'show', 'create', 'update', 'delete'] },
  wire: { suggests: true },
  actions: [buildOwnerList('personal_access_tokens'), create, rotate, revoke],
})
