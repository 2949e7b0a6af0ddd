import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import { type Action, type Condition, list, ROOT } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { readSingle, toBoolean } from '../../../requests/sent.ts'

/** A filter parameter of a list, beside parents and search. */
export interface Filter {
  readonly doc: string
  /** The condition for a value of the parameter; undefined: none. `alias` is that of the record. */
  readonly where: (value: string, alias: string) => Sql | undefined
  /** Tables that the condition reads beside the record's own. */
  readonly tables?: readonly string[]
}

/** Filter parameters by name. */
export type Filters = Readonly<Record<string, Filter>>

/**
 * A list with filter parameters (content-api §1.3, §8). The resource declares `wire.suggests`, and no operation `list`.
 */
export function filteredList(words: string, permission: string, filters: Filters): Action {
  return {
    method: 'GET',
    path: '',
    name: 'list',
    summary: `List ${words}`,
    permissions: [permission],
    query: buildFilterQuery(filters),
    outputs: 'list',
    handle: (ctx, resource, input) => list(ctx, resource, input, readFilters(filters, input)),
  }
}

/** The query schema of the filter parameters. */
export function buildFilterQuery(filters: Filters): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, { doc }]) => [name, z.string().optional().meta({ description: doc })]),
  )
}

/** Reads the filter parameters of a request. {@throws Failure} bad_parameter */
export function readFilters(filters: Filters, { query }: Input): Condition[] {
  return Object.entries(filters).flatMap(([name, { where, tables = [] }]) => {
    const value = readSingle(query, name)
    const condition = value === null || value === '' ? undefined : where(value, ROOT)
    return condition ? [{ sql: condition, tables }] : []
  })
}

/** Reads a boolean parameter. {@throws Failure} bad_parameter */
export function readTruth(name: string, value: string): boolean {
  const read = toBoolean(value)
  if (typeof read !== 'boolean') throw badParameter(name, value, 'must be true or false')
  return read
}
