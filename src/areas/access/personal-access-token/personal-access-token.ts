import { z } from 'zod'
import { boolean, defineResource, link, secret, text, timestamp } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { buildOwnerList, limitToOwned } from '../user/owned-records.ts'
import { create } from './create.ts'
import { revoke } from './revoke.ts'

const KEYS = ['created_at', 'updated_at', 'id', 'name', 'expires_at', 'active?', 'user_id', 'last_used_at', 'revoked?']

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
  views: { list: KEYS, show: KEYS },
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
  },
  rules: [
    (_token, { expires_at: end }, { now }) =>
      typeof end === 'string' && Date.parse(end) <= now().getTime()
        ? { expires_at: ['cannot be in the past'] }
        : undefined,
  ],
  records: { own: limitToOwned, ownOperations: ['list', 'show', 'create', 'update', 'delete'] },
  wire: { suggests: true },
  actions: [buildOwnerList('personal_access_tokens'), create, revoke],
})
