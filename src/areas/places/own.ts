import type { Context } from '../../context.ts'
import type { Sql } from '../../database/sql.ts'
import type { Taxonomy } from '../../kernel/index.ts'
import { joinAny, sql } from '../../sql.ts'

/** Leaves the locations or organizations of the caller and all below them; for administrators it is always true. */
export function limitToOwnTaxonomies(ctx: Context, { kind, plural }: Taxonomy, alias: string): Sql {
  if (ctx.user.admin) return sql`true`
  const id = sql.ref(`${alias}.id`)
  const assigned = sql`${id} = any (${ctx.user[plural]}::bigint[])`
  if (ctx.user.limited) return assigned
  return joinAny([
    assigned,
    sql`exists (select from ${sql.table(`user_${plural}`)} m where m.user_id = ${ctx.user.id} and ${sql.ref(`m.${kind}_id`)} in (select ${id} union all select unnest(${sql.ref(`${alias}.ancestor_ids`)})))`,
  ])
}
