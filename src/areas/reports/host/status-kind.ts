import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import type { Resource } from '../../../kernel/definition.ts'

/** What a state amounts to for the host as a whole. */
export const GLOBAL = { ok: 0, warning: 1, error: 2 } as const

/**
 * One respect in which a host is well or not. States are worked out from what is stored, and from the clock, when somebody
 * asks; all of these are expressions over an alias of hosts.
 */
export interface StatusKind {
  /** Its word in paths. */
  readonly type: string
  /** What the number says. */
  readonly doc: string
  /** A host may have no such state. */
  readonly nullable?: true
  /** A statement of one row, or none, with the three that follow as its columns. */
  readonly row: (alias: string) => Sql
  /** A number; null where there is no such state of this host. */
  readonly status: (alias: string) => Sql
  readonly label: (alias: string) => Sql
  /** One of {@link GLOBAL}; null where it says nothing. */
  readonly global: (alias: string) => Sql
  /** The tables that these read beside hosts. */
  readonly tables: readonly string[]
  /** Forgets what the state is made of, until something new is told. Absent: there is nothing to forget. */
  readonly clear?: (tx: Context, hosts: Resource, id: number) => Promise<void>
}

/** The expressions of a kind whose states are a view of the database. */
export function selectFromView(view: string): Pick<StatusKind, 'row' | 'status' | 'label' | 'global'> {
  return expressionsOf(
    (alias) =>
      sql`select s.status, s.label, s.global from ${sql.table(view)} s where s.host_id = ${sql.ref(`${alias}.id`)}`,
  )
}

/** The expressions of a kind by a statement that yields them as columns of one row, or none. */
export function expressionsOf(row: StatusKind['row']): Pick<StatusKind, 'row' | 'status' | 'label' | 'global'> {
  const from = (column: string) => (alias: string) => sql`(select ${sql.ref(`k.${column}`)} from (${row(alias)}) k)`
  return { row, status: from('status'), label: from('label'), global: from('global') }
}
