import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import type { Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** The meanings of a state for the host as a whole. */
export const GLOBAL = { ok: 0, warning: 1, error: 2 } as const

/**
 * A kind of status of hosts. States are computed on request from stored values and the clock; all members are SQL
 * expressions over an alias of hosts.
 */
export interface StatusKind {
  /** Its name in paths. */
  readonly type: string
  /** The meaning of its numbers. */
  readonly doc: string
  /** Whether a host may have no such state. */
  readonly nullable?: true
  /** A statement of at most one row, with the three columns below. */
  readonly row: (alias: string) => Sql
  /** The state as a number; null: the host has none. */
  readonly status: (alias: string) => Sql
  readonly label: (alias: string) => Sql
  /** One of {@link GLOBAL}; null: no meaning for the host as a whole. */
  readonly global: (alias: string) => Sql
  /** The tables that these expressions read beside hosts. */
  readonly tables: readonly string[]
  /** Forgets the data of the state until something new is reported. Absent: there is nothing to forget. */
  readonly clear?: (tx: Context, hosts: Resource, id: number) => Promise<void>
}

/** The expressions of a kind whose states come from a view of the database. */
export function selectFromView(view: string): Pick<StatusKind, 'row' | 'status' | 'label' | 'global'> {
  return expressionsOf(
    (alias) =>
      sql`select s.status, s.label, s.global from ${sql.table(view)} s where s.host_id = ${sql.ref(`${alias}.id`)}`,
  )
}

/** The expressions of a kind from a statement of at most one row. */
export function expressionsOf(row: StatusKind['row']): Pick<StatusKind, 'row' | 'status' | 'label' | 'global'> {
  const selectFrom = (column: string) => (alias: string) =>
    sql`(select ${sql.ref(`k.${column}`)} from (${row(alias)}) k)`
  return { row, status: selectFrom('status'), label: selectFrom('label'), global: selectFrom('global') }
}
