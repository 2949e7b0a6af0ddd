import type { Context } from '../../../context.ts'
import { finishFragment, row } from '../../../database/sql.ts'
import type { Draft } from '../../../kernel/index.ts'
import type { Members } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'
import { INHERITED_COLUMNS, selectEffectiveColumn } from '../hostgroup/inherited.ts'
import type { HostFields } from './fields.ts'
import type { PrimaryDraft } from './interface-fields.ts'

/** Values of a group that go to the primary interface of a host instead of to the host. */
const OF_INTERFACE = new Set(['subnet', 'subnet6', 'domain'])

// This part of the statement is constant and long, so that it is built only once.
const IN_FORCE = finishFragment(
  sql.join(INHERITED_COLUMNS.map((column) => sql`${selectEffectiveColumn('g', column)} as ${sql.ref(column)}`)),
)

/** The values that a host takes from its group (core-api §1.5), by field; null where no group on the path has one. */
export interface Inherited {
  readonly host: Draft<HostFields>
  readonly primary: PrimaryDraft
}

/** Loads the values that a host takes from this group; none without a group. */
export async function loadInherited(ctx: Context, hostgroup: number | null | undefined): Promise<Inherited> {
  if (!hostgroup) return { host: {}, primary: {} }
  const found = await row<Record<string, unknown>>(
    ctx.db,
    sql`select ${IN_FORCE} from hostgroups g where g.id = ${hostgroup}`,
  )
  const given = Object.entries(found ?? {}).map(([column, value]) => [column.replace(/_id$/, ''), value] as const)
  return {
    host: Object.fromEntries(given.filter(([name]) => !OF_INTERFACE.has(name))),
    primary: Object.fromEntries(given.filter(([name]) => OF_INTERFACE.has(name))),
  }
}

/** Computes what a new host inherits: all fields that the request leaves out or empty. */
export function computeInheritedByNew<Values extends Draft>(given: Values, sent: Values): Draft {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null && (sent[name] ?? null) === null),
  )
}

/**
 * Computes what a host inherits that moves to another group: always its proxies, even none, and its configuration;
 * values for installation and network only where the host has none.
 */
export function computeInheritedByMoving<Values extends Draft>(given: Values, sent: Values, stored: Members): Draft {
  const isEmpty = (name: string) => (stored[`${name}_id`] ?? stored[name] ?? null) === null
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        sent[name] === undefined && (PROXIES.has(name) || (value !== null && (CONFIGURES.has(name) || isEmpty(name)))),
    ),
  )
}

const PROXIES = new Set(['config_proxy', 'config_ca_proxy'])
const CONFIGURES = new Set(['environment', 'compute_profile', 'realm'])
