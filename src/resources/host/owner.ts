import { sql } from 'kysely'
import { z } from 'zod'
import { invalid } from '../../errors.ts'
import { NOT_INTEGER, toInteger, toWord } from '../../kernel/fields/values.ts'
import { findIds } from '../../kernel/reference.ts'
import type { Draft, Field, ReadableKey, Stored } from '../../kernel/resource.ts'

/** What people call a user `u`: by the full name, else by the login. */
export const calledSql = sql`coalesce(nullif(concat_ws(' ', nullif(u.firstname, ''), nullif(u.lastname, '')), ''), u.login)`

/** What a request says of the owner: null clears, undefined was not sent. */
export interface Owner {
  readonly id: number | null | undefined
  readonly type: 'User' | 'Usergroup' | null | undefined
  /** Resolves once it is known of which type the id is. {@throws Failure} unknown_reference */
  readonly find: (type: 'User' | 'Usergroup', id: number) => Promise<void>
}

const DOC_ID = 'Who owns it: a user, or a user group. A new host belongs to who made it.'
const DOC_TYPE = 'User or Usergroup: what the owner is.'

/** `owner_id` and `owner_type`; `ownerColumns` says what is stored. */
export function owner(): Field<Owner> {
  return {
    kind: 'owner',
    doc: DOC_ID,
    required: false,
    secret: false,
    writable: () => ({
      owner_id: {
        schema: z.int({ error: NOT_INTEGER }).positive(NOT_INTEGER).nullable().meta({ description: DOC_ID }),
        coerce: toInteger,
      },
      owner_type: {
        schema: z
          .enum(['User', 'Usergroup'], { error: 'is not included in the list (User, Usergroup)' })
          .nullable()
          .meta({ description: DOC_TYPE }),
        coerce: toWord,
      },
    }),
    readable: () => OWNER_KEYS,
    search: () => [],
    read: async (ctx, at, sent) => {
      if (sent.owner_id === undefined && sent.owner_type === undefined) return undefined
      return {
        id: sent.owner_id as Owner['id'], // as its schema says
        type: sent.owner_type as Owner['type'],
        find: async (type, id) => {
          await findIds(ctx, at.target(type.toLowerCase()), [id])
        },
      }
    },
  }
}

const OWNER_KEYS: Readonly<Record<string, ReadableKey>> = {
  owner_id: {
    schema: () => z.int().nullable().meta({ description: DOC_ID }),
    sql: (alias) => sql`coalesce(${sql.ref(`${alias}.owner_user_id`)}, ${sql.ref(`${alias}.owner_usergroup_id`)})`,
  },
  owner_type: {
    schema: () => z.string().nullable().meta({ description: DOC_TYPE }),
    sql: (alias) =>
      sql`case when ${sql.ref(`${alias}.owner_user_id`)} is not null then 'User' when ${sql.ref(`${alias}.owner_usergroup_id`)} is not null then 'Usergroup' end`,
  },
  owner_name: {
    schema: () => z.string().nullable().meta({ description: 'Name of the owner.' }),
    sql: (alias) =>
      sql`coalesce(
        (select ${calledSql} from users u where u.id = ${sql.ref(`${alias}.owner_user_id`)}),
        (select g.name from usergroups g where g.id = ${sql.ref(`${alias}.owner_usergroup_id`)}))`,
  },
}

/** The two columns that an owner is kept in. {@throws Failure} invalid for a type without an owner */
export async function ownerColumns(sent: Owner | undefined, stored: Stored | null, creator: number): Promise<Draft> {
  if (sent === undefined) return stored ? {} : { owner_user: creator, owner_usergroup: null }
  const before = stored?.owner_usergroup_id ? 'Usergroup' : 'User'
  const kept = before === 'User' ? stored?.owner_user_id : stored?.owner_usergroup_id
  const type = sent.type ?? before
  const id = sent.id === undefined && (sent.type === undefined || sent.type === before) ? kept : sent.id
  if (typeof id !== 'number') {
    if (sent.type && sent.id === undefined)
      throw invalid({ owner: ['If owner type is specified, owner must be specified too.'] }, stored?.id ?? null)
    return { owner_user: null, owner_usergroup: null }
  }
  if (id !== kept || type !== before) await sent.find(type, id)
  return type === 'User' ? { owner_user: id, owner_usergroup: null } : { owner_user: null, owner_usergroup: id }
}
