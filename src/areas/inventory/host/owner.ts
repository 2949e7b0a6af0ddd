import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Field, findIds, type ReadableKey, type Unstored } from '../../../kernel/index.ts'
import { NOT_INTEGER, toInteger, toWord } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { isAdministrator } from '../../access/index.ts'

/** Selects what people call a user `u`: the full name, or else the login. */
export const userLabelSql = sql`coalesce(nullif(concat_ws(' ', nullif(u.firstname, ''), nullif(u.lastname, '')), ''), u.login)`

/** The owner in a request: null clears it, undefined was not sent. */
export interface HostOwner {
  readonly id: number | null | undefined
  readonly type: 'User' | 'Usergroup' | null | undefined
  /** Checks the id once the type is known. {@throws Failure} unknown_reference */
  readonly find: (type: 'User' | 'Usergroup', id: number) => Promise<void>
}

const DOC_ID = 'Owner of the host: a user or a user group; by default the user who creates it.'
const DOC_TYPE = 'User or Usergroup: what the owner is.'

/** The field for `owner_id` and `owner_type`; `resolveOwnerColumns` computes what is stored. */
export function owner(): Field<HostOwner> & Unstored {
  return {
    kind: 'owner',
    doc: DOC_ID,
    writable: () => ({
      owner_id: {
        schema: () => z.int({ error: NOT_INTEGER }).positive(NOT_INTEGER).nullable().meta({ description: DOC_ID }),
        coerce: toInteger,
      },
      owner_type: {
        schema: () =>
          z
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
        id: sent.owner_id as HostOwner['id'], // as its schema says
        type: sent.owner_type as HostOwner['type'],
        find: async (type, id) => {
          await findIds(await withReachOfOwner(ctx, type, id), at.target(type.toLowerCase()), [id])
        },
      }
    },
  }
}

/** Yields the context in which the owner is looked up: for administrators without scope, because they may own hosts anywhere. */
async function withReachOfOwner(ctx: Context, type: 'User' | 'Usergroup', id: number): Promise<Context> {
  if (type !== 'User') return ctx
  const found = await row(ctx.db, sql`select from users u where u.id = ${id} and ${isAdministrator('u')}`)
  return found ? { ...ctx, scope: { organization: null, location: null, named: false } } : ctx
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
        (select ${userLabelSql} from users u where u.id = ${sql.ref(`${alias}.owner_user_id`)}),
        (select g.name from usergroups g where g.id = ${sql.ref(`${alias}.owner_usergroup_id`)}))`,
  },
}

/** Resolves the owner of new hosts from the setting; null when it names nobody, or somebody unknown. */
export async function resolveDefaultOwner(
  ctx: Context,
): Promise<{ readonly id: number; readonly type: 'User' | 'Usergroup' } | null> {
  const [, id, kind] = /^(\d+)-(User|Usergroup)s$/.exec(ctx.settings.host_owner) ?? []
  if (id === undefined) return null
  const type = kind === 'User' ? 'User' : 'Usergroup'
  const table = type === 'User' ? 'users' : 'usergroups'
  const found = await row<{ id: number }>(ctx.db, sql`select id from ${sql.table(table)} where id = ${id}::bigint`)
  return found ? { id: found.id, type } : null
}

/** The two links of which one says who owns a host. */
interface Owned {
  readonly owner_user: number | null
  readonly owner_usergroup: number | null
}

interface StoredOwner {
  readonly id: number
  readonly owner_user_id: number | null
  readonly owner_usergroup_id: number | null
}

/** Resolves the two columns of the owner. {@throws Failure} invalid for a type without an id */
export async function resolveOwnerColumns(
  ctx: Context,
  sent: HostOwner | undefined,
  stored: StoredOwner | null,
): Promise<Partial<Owned>> {
  if (sent === undefined)
    return stored ? {} : selectOwnedBy((await resolveDefaultOwner(ctx)) ?? { id: ctx.user.id, type: 'User' })
  const before = stored?.owner_usergroup_id ? 'Usergroup' : 'User'
  const kept = before === 'User' ? stored?.owner_user_id : stored?.owner_usergroup_id
  const type = sent.type ?? before
  const id = sent.id === undefined && (sent.type === undefined || sent.type === before) ? kept : sent.id
  if (typeof id !== 'number') {
    if (sent.type)
      throw invalid({ owner: ['If owner type is specified, owner must be specified too.'] }, stored?.id ?? null)
    return { owner_user: null, owner_usergroup: null }
  }
  if (id !== kept || type !== before) await sent.find(type, id)
  return selectOwnedBy({ id, type })
}

function selectOwnedBy({ id, type }: { readonly id: number; readonly type: 'User' | 'Usergroup' }): Owned {
  return type === 'User' ? { owner_user: id, owner_usergroup: null } : { owner_user: null, owner_usergroup: id }
}
