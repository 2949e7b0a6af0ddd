import { sql } from 'kysely'
import { z } from 'zod'
import { row } from '../../database/sql.ts'
import { holds, visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import type { ReadableKey, Shown } from '../../kernel/resource.ts'

/** What may be done with a host. */
export const MAY = [
  ...['view_hosts', 'create_hosts', 'edit_hosts', 'destroy_hosts', 'build_hosts', 'power_hosts', 'console_hosts'],
  ...['ipmi_boot_hosts', 'forget_status_hosts', 'configrun_hosts'],
]

/** The key of the show view; `showPermissions` fills it. */
export const permissions: ReadableKey = {
  schema: () =>
    z
      .object(
        Object.fromEntries(MAY.map((name) => [name, z.boolean().meta({ description: 'Whether the caller may.' })])),
      )
      .meta({ description: 'What the caller may do with it.' }),
  sql: () => sql`null`,
}

/** Says of a record that is shown alone what the caller may do with it. */
export const showPermissions: Shown = async (ctx, resource, rows) => {
  const [alone] = rows
  if (rows.length !== 1 || !alone || !('permissions' in alone)) return rows
  if (ctx.user.admin) return [{ ...alone, permissions: Object.fromEntries(MAY.map((name) => [name, true])) }]
  const answers = MAY.map((name) => {
    const held = holds(ctx, name) ? where(visible(ctx, resource, name)) : sql`false`
    return sql`${held} as ${sql.ref(name)}`
  })
  const found = await row(ctx.db, sql`select ${sql.join(answers)} from hosts t where t.id = ${alone.id}::bigint`)
  return [{ ...alone, permissions: found }]
}
