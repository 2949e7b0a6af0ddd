import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import type { Registry, Stored } from '../../../kernel/index.ts'
import { refuseWhileLinked } from '../../../records/linked.ts'
import { sql } from '../../../sql.ts'

/**
 * Refuses to delete a config class or config group that is directly assigned to hosts or host groups. {@throws Failure}
 * invalid
 */
export async function refuseWhileAssigned(
  ctx: Context,
  registry: Registry,
  stored: Stored & { readonly name: string },
  kind: 'configclass' | 'config_group',
): Promise<void> {
  for (const target of ['host', 'hostgroup'] as const) {
    const table = kind === 'configclass' ? `${target}_configclasses` : `config_group_${target}s`
    const found = await rows<{ id: number }>(
      ctx.db,
      sql`select ${sql.ref(`${target}_id`)} as id from ${sql.table(table)} where ${sql.ref(`${kind}_id`)} = ${stored.id}`,
    )
    await refuseWhileLinked(ctx, registry, stored, { target, ids: found.map(({ id }) => id), label: stored.name })
  }
}
