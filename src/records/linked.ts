import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { describeUsers, type Registry, type Stored } from '../kernel/index.ts'
import { sql } from '../sql.ts'

/**
 * Refuses to delete a record while records of another resource are linked to it by a link table, and names those that
 * the caller may see. The kernel does so itself for links by a column. {@throws Failure} invalid
 */
export async function refuseWhileLinked(
  ctx: Context,
  registry: Registry,
  stored: Stored,
  {
    target,
    ids,
    label,
  }: { readonly target: string; readonly ids: readonly number[] | undefined; readonly label: string | null },
): Promise<void> {
  const other = registry.get(target)
  if (!other || !ids?.length) return
  const called = sql`${sql.ref(`t.${other.label ?? 'id'}`)}::text`
  const users = await describeUsers(ctx, other, called, sql`t.id = any (${ids}::bigint[])`)
  throw invalid({ base: users.map((user) => `${label} is ${user}`) }, stored.id)
}
