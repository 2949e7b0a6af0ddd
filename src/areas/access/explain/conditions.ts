import type { Context, Grant } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import {
  type Condition,
  isReadable,
  joinConditions,
  limitToGranted,
  limitToScope,
  type Resource,
  searchOptionsOf,
  TAXONOMIES,
} from '../../../kernel/index.ts'
import { compileSearch, ignoreBadSearch, parseSearch, printSearch, type Query } from '../../../search/index.ts'
import { type Sql, sql } from '../../../sql.ts'

/** The kinds of conditions. */
export const KINDS = ['all', 'any', 'not', 'search', 'organizations', 'locations', 'membership', 'unreadable'] as const

/** A condition, and whether a record meets it; null without a record. A search is a tree of conditions. */
export interface Checked {
  readonly kind: (typeof KINDS)[number]
  readonly text: string
  readonly met: boolean | null
  readonly parts: readonly Checked[]
}

/** A condition that is not yet checked against a record; `test` is null if its parts decide. */
interface Open extends Omit<Checked, 'met' | 'parts'> {
  readonly test: Sql | null
  readonly parts: readonly Open[]
}

/**
 * Checks all conditions under which a grant covers a record for its holder: its search, its organizations and locations, and
 * that the record is in places of the holder. One statement answers all. `asker` decides which places are named.
 */
export async function checkConditions(
  holder: Context,
  asker: Context,
  resource: Resource,
  grant: Grant,
  record: number | null,
): Promise<readonly Checked[]> {
  const open = [
    ...(grant.search === null ? [] : [openSearch(holder, resource, grant.search)]),
    ...(await openPlaces(holder, asker, resource, grant)),
    ...openMembership(holder, resource),
  ]
  const tests = open.flatMap(listTests)
  const answers = record === null ? {} : await askAll(holder, resource, tests, record)
  return open.map((one) => close(one, (test) => answers[`met_${tests.indexOf(test)}`] ?? null))
}

/** Counts the conditions that are not met. */
export function countUnmet(conditions: readonly Pick<Checked, 'met'>[]): number {
  return conditions.filter(({ met }) => met === false).length
}

function openSearch(holder: Context, resource: Resource, search: string): Open {
  const query = isReadable(search) ? ignoreBadSearch(() => parseSearch(search)) : null
  const unreadable = { kind: 'unreadable', text: search, test: sql`false`, parts: [] } as const
  if (!query) return unreadable
  const openQuery = (one: Query): Open => {
    const text = printSearch(one)
    if (one.kind === 'and' || one.kind === 'or')
      return { kind: one.kind === 'and' ? 'all' : 'any', text, test: null, parts: one.operands.map(openQuery) }
    if (one.kind === 'not') return { kind: 'not', text, test: null, parts: [openQuery(one.operand)] }
    const compiled = ignoreBadSearch(() => compileSearch(resource.searchSchema, text, searchOptionsOf(holder)))
    return compiled?.condition ? { kind: 'search', text, test: compiled.condition, parts: [] } : { ...unreadable, text }
  }
  return openQuery(query)
}

async function openPlaces(holder: Context, asker: Context, resource: Resource, grant: Grant): Promise<Open[]> {
  const open: Open[] = []
  for (const { plural } of TAXONOMIES) {
    const ids = grant[plural]
    if (ids === null) continue
    const only = { organizations: null, locations: null, [plural]: ids }
    const conditions = limitToGranted(holder, resource, only)
    if (conditions.length === 0) continue
    const names = await rows<{ title: string }>(
      asker.db,
      sql`select title from ${sql.table(plural)} where id = any (${ids}::bigint[])
        and (${asker.user.admin} or id = any (${asker.user[plural]}::bigint[])) order by title limit 20`,
    )
    open.push({
      kind: plural,
      text: names.map(({ title }) => title).join(', '),
      test: joinConditions(conditions),
      parts: [],
    })
  }
  return open
}

function openMembership(holder: Context, resource: Resource): Open[] {
  const conditions: Condition[] = limitToScope(holder, resource)
  if (conditions.length === 0) return []
  const text = 'the record is in an organization and location of the user'
  return [{ kind: 'membership', text, test: joinConditions(conditions), parts: [] }]
}

function listTests({ test, parts }: Open): Sql[] {
  return test === null ? parts.flatMap(listTests) : [test]
}

async function askAll({ db }: Context, resource: Resource, tests: readonly Sql[], id: number): Promise<Answers> {
  if (tests.length === 0) return {}
  const columns = tests.map((test, place) => sql`(${test}) is true as ${sql.ref(`met_${place}`)}`)
  const found = await row<Answers>(
    db,
    sql`select ${sql.join(columns)} from ${sql.table(resource.table)} t where t.id = ${id}`,
  )
  return found ?? {}
}

type Answers = Readonly<Record<string, boolean>>

function close({ test, parts, ...one }: Open, answer: (test: Sql) => boolean | null): Checked {
  const closed = parts.map((part) => close(part, answer))
  if (test !== null) return { ...one, met: answer(test), parts: [] }
  return { ...one, met: closed.some(({ met }) => met === null) ? null : combine(one.kind, closed), parts: closed }
}

function combine(kind: Checked['kind'], parts: readonly Checked[]): boolean {
  if (kind === 'not') return parts.every(({ met }) => !met)
  return kind === 'any' ? parts.some(({ met }) => met) : parts.every(({ met }) => met)
}
