import { z } from 'zod'
import { asTrustedService } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { lock, type ReadableKey, type SharedRow, updateStored } from '../../../kernel/index.ts'
import type { SearchField } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'
import { deleteExpiredToken } from '../../provisioning/index.ts'
import { COUNTERS } from '../counters.ts'
import { expressionsOf, GLOBAL, type StatusKind, selectFromView } from './status-kind.ts'
import { statusActions } from './status-routes.ts'

/** The status of a host's configuration: the result of its newest report, and whether the next is overdue. */
const configurationStatus: StatusKind = {
  type: 'configuration',
  doc: 'Counts of its newest report, encoded in one number; 0 without a report.',
  ...selectFromView('configuration_states'),
  tables: ['configuration_statuses', 'settings'],
  clear: async (tx, _hosts, id) => {
    await rows(tx.db, sql`delete from configuration_statuses where host_id = ${id}`)
  },
}

/** The states of an installation: done, waiting, waiting with an expired token, failed. */
const BUILD_STATES = { built: 0, pending: 1, token_expired: 2, build_failed: 3 } as const

/** The status of a host's installation. */
const buildStatus: StatusKind = {
  type: 'build',
  doc: '0: installed, 1: waiting for the installation, 2: the token has expired, 3: the installation failed.',
  ...selectFromView('build_states'),
  tables: ['build_tokens'],
  clear: async (tx, hosts, id) => {
    await deleteExpiredToken(tx, id)
    const stored = await lock(tx, hosts, id)
    await updateStored(asTrustedService(tx), hosts, stored, { build_errors: null })
  },
}

/**
 * The contribution of reports to hosts: the statuses of this and of other areas, and the global status made of them.
 */
export function buildHostStatuses(others: readonly StatusKind[]) {
  const kinds = [configurationStatus, buildStatus, ...others]
  const whole = buildGlobalStatus(kinds)
  const states = statesOf(kinds)
  return {
    keys: ['configuration_status', 'configuration_status_label'],
    readable: Object.fromEntries([...kinds, whole].flatMap((kind) => Object.entries(readableOf(states, kind)))),
    search: buildStatusSearch(whole),
    actions: statusActions([...kinds, whole]),
  }
}

/** Creates the global status: the worst of all states. */
function buildGlobalStatus(kinds: readonly StatusKind[]): StatusKind {
  return {
    type: 'global',
    doc: '0: OK, 1: warning, 2: error.',
    ...expressionsOf((alias) => {
      const worst = sql`greatest(${sql.join(kinds.map(({ global }) => global(alias)))})`
      return sql`select k.worst as status, ${labelOf(sql`k.worst`)} as label, k.worst as global from (select ${worst} as worst offset 0) k`
    }),
    tables: [...new Set(kinds.flatMap(({ tables }) => tables))],
  }
}

function labelOf(worst: Sql): Sql {
  return sql`(array['OK', 'Warning', 'Error'])[${worst} + 1]`
}

/** Selects all states of a host as one row, of which the global status is computed. */
function statesOf(kinds: readonly StatusKind[]): SharedRow {
  const selectColumn = (type: string, name: string) => sql.ref(`${type}.${name}`)
  const selectNamed = (type: string, name: string, value: Sql) => sql`${value} as ${sql.ref(keyOf(type, name))}`
  const worst = sql`greatest(${sql.join(kinds.map(({ type }) => selectColumn(type, 'global')))})`
  const columns = [
    ...kinds.flatMap(({ type }) =>
      ['status', 'label'].map((name) => selectNamed(type, name, selectColumn(type, name))),
    ),
    selectNamed('global', 'status', worst),
    selectNamed('global', 'label', labelOf(worst)),
  ]
  return {
    name: 'states',
    select: (alias) => sql`
      select ${sql.join(columns)} from (select) one
      ${sql.join(
        kinds.map(({ type, row }) => sql`left join lateral (${row(alias)} limit 1) ${sql.ref(type)} on true`),
        sql` `,
      )} limit 1`,
  }
}

function keyOf(type: string, name: string): string {
  return name === 'label' ? `${type}_status_label` : `${type}_status`
}

function readableOf(
  states: SharedRow,
  { type, doc, nullable, status, label }: StatusKind,
): Record<string, ReadableKey> {
  const key = (name: string, description: string, schema: z.ZodType, alone: StatusKind['status']): ReadableKey => ({
    schema: () => (nullable ? schema.nullable() : schema).meta({ description }),
    sql: alone,
    shared: { row: states, value: sql.ref(`${states.name}.${keyOf(type, name)}`) },
  })
  return {
    [keyOf(type, 'status')]: key('status', doc, z.int(), status),
    [keyOf(type, 'label')]: key('label', 'The state in words.', z.string(), label),
  }
}

function buildStatusSearch(whole: StatusKind): SearchField[] {
  return [
    choice('global_status', GLOBAL, whole, 300),
    choice('build_status', BUILD_STATES, buildStatus, 50),
    ...COUNTERS.map((name) => buildStateSearch(`status.${name}`, { type: 'integer', column: name })),
    buildStateSearch('status.interesting', {
      type: 'boolean',
      column: 'status.interesting',
      expression: (alias) =>
        sql`(${sql.join(
          ['applied', 'restarted', 'failed', 'failed_restarts'].map((name) => sql`${sql.ref(`${alias}.${name}`)} > 0`),
          sql` or `,
        )})`,
    }),
    buildStateSearch('origin', { type: 'text', column: 'origin' }),
  ]
}

function choice(
  name: string,
  values: Record<string, number>,
  { status, tables }: StatusKind,
  cost: number,
): SearchField {
  return {
    name,
    type: 'choice',
    column: name,
    values,
    explicit: true,
    tables,
    cost,
    expression: (alias) => sql`case when ${formatThisMinute()}::timestamptz is not null then ${status(alias)} end`,
  }
}

/**
 * The present minute: counts are remembered by their statements, and states that depend on the clock have to change
 * these.
 */
function formatThisMinute(): string {
  return new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS).toISOString()
}

const MINUTE_MS = 60_000

function buildStateSearch(name: string, facts: Pick<SearchField, 'type' | 'column' | 'expression'>): SearchField {
  const through = [{ table: 'configuration_statuses', column: 'host_id', previous: 'id' }]
  const aliases = name.startsWith('status.') ? [`configuration_${name}`] : []
  return { name, aliases, ...facts, through, nullable: true, explicit: true }
}
