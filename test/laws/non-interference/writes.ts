import { assembleResources } from '../../../src/areas/index.ts'
import type { Database } from '../../../src/database/database.ts'
import { row } from '../../../src/database/sql.ts'
import { singularOf } from '../../../src/kernel/resources.ts'
import type { Method, Route } from '../../../src/requests/route.ts'
import { sql } from '../../../src/sql.ts'
import { type Body, pathOf, wrapped } from '../../support/given.ts'
import { AWAY, isId, KEPT, tablesOf } from './copy.ts'
import { candidatesOf, type Known } from './questions.ts'

/** A write that names unreachable records, and an equal one that names ids which do not exist. */
export interface Attempt {
  readonly route: string
  readonly method: Method
  readonly foreign: { readonly url: string; readonly body: Body }
  readonly unknown: { readonly url: string; readonly body: Body }
}

/** An id that is in no table, with as many digits as those of the other tenant. */
const NOBODY = 990_001

/** Lists every write of every route, with the other tenant's record in each position of its path. */
export function writesInPaths(routes: readonly Route[], known: Known): Attempt[] {
  return routes
    .filter(({ method, path }) => method !== 'GET' && path.includes(':'))
    .flatMap((route) => {
      const params = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
      return params.flatMap((param): Attempt[] => {
        const theirs = candidatesOf(param, route, known.theirs)
        if (theirs === undefined) return []
        const url = (id: string) =>
          params.reduce(
            (path, name) =>
              path.replace(
                `:${name}`,
                name === param
                  ? id
                  : (candidatesOf(name, route, known.mine) ?? candidatesOf(name, route, known.shared) ?? '1'),
              ),
            route.path,
          )
        const { id, method } = route
        const [foreign, unknown] = [theirs, String(NOBODY)].map((segment) => ({ url: url(segment), body: {} }))
        return foreign && unknown ? [{ route: id, method, foreign, unknown }] : []
      })
    })
}

/** Lists updates of the caller's records that link each possible field to the other tenant's record. */
export function writesOfLinks(known: Known): Attempt[] {
  return [...assembleResources().values()]
    .filter((resource) => resource.operations.includes('update') && !resource.nestedOnly)
    .flatMap((resource) => {
      const id = known.mine.get(resource.name) ?? known.shared.get(resource.name)
      if (id === undefined) return []
      const url = `${pathOf(resource, known.mine.get('organization'))}/${id}`
      return resource.placed.flatMap(({ name, field, at }): Attempt[] => {
        const keys = Object.keys(field.writable(at))
        const target = field.refersTo?.resource ?? ''
        const theirs = known.theirs.get(target)
        const key = [`${name}_id`, `${singularOf(name)}_ids`].find((one) => keys.includes(one))
        if (theirs === undefined || key === undefined) return []
        const body = (value: number) => wrapped(resource, { [key]: key.endsWith('s') ? [value] : value })
        return [
          {
            route: `${resource.plural}.update ${key}`,
            method: 'PUT',
            foreign: { url, body: body(theirs) },
            unknown: { url, body: body(NOBODY) },
          },
        ]
      })
    })
}

/** Yields the other tenant's rows of each table, and rows that refer to them. */
export async function foreignRows(database: Database): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const [table, columns] of await tablesOf(database)) {
    const ids = columns.filter((column) => isId(column) || column.points)
    if (KEPT.has(table) || ids.length === 0) continue
    const theirs = sql.join(
      ids.map(({ name }) => sql`${sql.ref(`t.${name}`)} > ${AWAY}`),
      sql` or `,
    )
    const digest = await row<{ digest: string | null }>(
      database.db,
      sql`select md5(string_agg(t::text, ',' order by t::text)) as digest from ${sql.table(table)} t where ${theirs}`,
    )
    if (digest?.digest) found[table] = digest.digest
  }
  return found
}

/** Removes the ids that the request named from an answer. */
export function withoutIds(text: string): string {
  return text.replaceAll(new RegExp(`${AWAY.toString().slice(0, 2)}\\d{4}|${NOBODY}`, 'g'), 'ID')
}
