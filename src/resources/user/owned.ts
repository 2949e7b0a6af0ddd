import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Sql } from '../../database/sql.ts'

/** What belongs to the caller: nobody needs a permission for what is their own. */
export function ownedByCaller(ctx: Context, alias: string): Sql {
  return sql`${sql.ref(`${alias}.user_id`)} = ${ctx.user.id}`
}
