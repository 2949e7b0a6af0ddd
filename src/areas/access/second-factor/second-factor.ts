import { z } from 'zod'
import { defineResource, link, secret, text, timestamp } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { buildOwnerList, limitToOwned } from '../user/owned-records.ts'
import { confirm, enrol, remove } from './actions.ts'

const KEYS = [
  'created_at',
  'updated_at',
  'id',
  'kind',
  'name',
  'host',
  'user_id',
  'confirmed',
  'last_used_at',
  'recovery_codes_left',
]

/** Second factors of a user, at paths below the user. They count from their confirmation on. */
export const secondFactors = defineResource({
  name: 'second_factor',
  routes: { invalidates: 'identities', parents: { user: 'user' }, nestedOnly: true },
  summary: 'Something that a user proves at a login beside the password.',
  fields: {
    kind: text({
      readOnly: true,
      required: true,
      search: 'explicit',
      doc: 'totp: codes by an application and the time; passkey: a key that a device holds.',
    }),
    name: text({ readOnly: true, max: 100, search: 'explicit', doc: 'What its user calls it.' }),
    host: text({ readOnly: true, search: 'explicit', doc: 'The host name that a passkey belongs to.' }),
    confirmed_at: timestamp({ readOnly: true, doc: 'From when on it counts.' }),
    last_used_at: timestamp({ readOnly: true, search: 'explicit', doc: 'The last time it was proven.' }),
    user: link('user', { required: true, readOnly: true, onDelete: 'cascade', doc: 'Its user.' }),
    // Requests cannot set it.
    secret: { ...secret({ encrypted: true, sentTo: [], doc: 'What codes are computed from.' }), writable: () => ({}) },
  },
  operations: ['show'],
  views: { list: KEYS, show: KEYS, order: 'id' },
  readable: {
    confirmed: {
      schema: () => z.boolean().meta({ description: 'Whether it was confirmed, and so counts.' }),
      sql: (alias) => sql`(${sql.ref(`${alias}.confirmed_at`)} is not null)`,
    },
    recovery_codes_left: {
      schema: () => z.int().meta({ description: 'Number of recovery codes that were not used yet.' }),
      sql: (alias) =>
        sql`(select count(*)::integer from recovery_codes c where c.second_factor_id = ${sql.ref(`${alias}.id`)} and c.used_at is null)`,
    },
  },
  records: { own: limitToOwned, ownOperations: ['list', 'show', 'create', 'update', 'delete'] },
  actions: [buildOwnerList('second_factors'), enrol, confirm, remove],
})
