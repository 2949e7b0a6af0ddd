import { sql } from 'kysely'
import { z } from 'zod'
import type { ReadableKey } from '../../../kernel/field.ts'
import type { SearchField } from '../../../search/schema.ts'
import { COUNTERS } from '../counters.ts'
import { BUILD_STATES, buildStatus } from './build-status.ts'
import { configurationStatus } from './configuration-status.ts'
import { GLOBAL, type StatusKind } from './status-kind.ts'
import { statusActions } from './status-routes.ts'

/** What reports add to a host: its states, from here and from other areas, and what they come to together. */
export function hostStatuses(others: readonly StatusKind[]) {
  const kinds = [configurationStatus, buildStatus, ...others]
  const whole = globalStatus(kinds)
  return {
    keys: ['configuration_status', 'configuration_status_label'],
    readable: {
      ...readableOf(configurationStatus, 'What its newest report counts, in one number; 0 without one.'),
      ...readableOf(buildStatus, '0: installed, 1: waits to be, 2: the token is too old, 3: that failed.'),
      ...readableOf(whole, '0: all is well, 1: warnings, 2: errors.'),
    },
    search: statusSearch(whole),
    actions: statusActions([...kinds, whole]),
  }
}

/** The worst of all. */
function globalStatus(kinds: readonly StatusKind[]): StatusKind {
  const worst = (alias: string) => sql`greatest(${sql.join(kinds.map(({ global }) => global(alias)))})`
  return {
    type: 'global',
    status: worst,
    label: (alias) => sql`(array['OK', 'Warning', 'Error'])[${worst(alias)} + 1]`,
    global: worst,
    tables: [...new Set(kinds.flatMap(({ tables }) => tables))],
  }
}

function readableOf({ type, status, label }: StatusKind, description: string): Record<string, ReadableKey> {
  return {
    [`${type}_status`]: { schema: () => z.int().meta({ description }), sql: status },
    [`${type}_status_label`]: { schema: () => z.string().meta({ description: 'That in words.' }), sql: label },
  }
}

function statusSearch(whole: StatusKind): SearchField[] {
  return [
    choice('global_status', GLOBAL, whole, 300),
    choice('build_status', BUILD_STATES, buildStatus, 50),
    ...COUNTERS.map((name) => ofState(`status.${name}`, { type: 'integer', column: name })),
    ofState('status.interesting', {
      type: 'boolean',
      column: 'applied',
      expression: (alias) =>
        sql`(${sql.join(
          ['applied', 'restarted', 'failed', 'failed_restarts'].map((name) => sql`${sql.ref(`${alias}.${name}`)} > 0`),
          sql` or `,
        )})`,
    }),
    ofState('origin', { type: 'text', column: 'origin' }),
  ]
}

function choice(
  name: string,
  values: Record<string, number>,
  { status, tables }: StatusKind,
  cost: number,
): SearchField {
  return {
    ...{ name, type: 'choice', column: 'build', values, explicit: true, tables, cost },
    expression: (alias) => sql`case when ${thisMinute()}::timestamptz is not null then ${status(alias)} end`,
  }
}

/** Totals are remembered by what they are asked with: states that the clock changes are asked for by the minute. */
function thisMinute(): string {
  return new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS).toISOString()
}

const MINUTE_MS = 60_000

function ofState(name: string, facts: Pick<SearchField, 'type' | 'column' | 'expression'>): SearchField {
  const through = [{ table: 'configuration_statuses', column: 'host_id', previous: 'id' }]
  return { name, ...facts, through, nullable: true, explicit: true }
}
