import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { finished, row } from '../../database/sql.ts'
import type { Draft } from '../../kernel/resource.ts'
import { effective, INHERITED_COLUMNS } from '../hostgroup/inherited.ts'

/** What of a group goes to the primary interface of a host, not to the host itself. */
const OF_INTERFACE = new Set(['subnet', 'subnet6', 'domain'])

// Always the same, and long: put together once.
const IN_FORCE = finished(
  sql.join(INHERITED_COLUMNS.map((column) => sql`${effective('g', column)} as ${sql.ref(column)}`)),
)

/** What a host takes from its group where the request leaves it open (core-api §1.5). */
export interface Inherited {
  readonly host: Draft
  readonly primary: Draft
}

/** The values in force in a group, by field name; values that no group of the line gives are left out. */
export async function inheritedFrom(ctx: Context, hostgroup: unknown): Promise<Inherited> {
  if (typeof hostgroup !== 'number') return { host: {}, primary: {} }
  const found = await row<Record<string, unknown>>(
    ctx.db,
    sql`select ${IN_FORCE} from hostgroups g where g.id = ${hostgroup}`,
  )
  const given = Object.entries(found ?? {})
    .filter(([, value]) => value !== null)
    .map(([column, value]) => [column.replace(/_id$/, ''), value] as const)
  return {
    host: Object.fromEntries(given.filter(([name]) => !OF_INTERFACE.has(name))),
    primary: Object.fromEntries(given.filter(([name]) => OF_INTERFACE.has(name))),
  }
}
