import { LOOKED_UP_CLASSES, toVendorPaths } from '../dialect/paths.ts'
import { buildTranslationPlan, type TranslationPlan } from '../dialect/plan.ts'
import { translateBody } from '../dialect/translate.ts'
import { isMembers, type Members } from '../lib/values.ts'
import type { Route } from '../requests/route.ts'
import { type OldServer, Unreadable } from './old-server.ts'

/** Reads records of the old server in the words of this service. */
export interface TheirRecords {
  /** Yields the rows of a list, each once, whatever is written to the server meanwhile. */
  readonly list: (route: Route, params: Readonly<Record<string, string>>) => AsyncGenerator<readonly Members[]>
  /** Reads one record. {@throws Unreadable} */
  readonly show: (route: Route, params: Readonly<Record<string, string>>) => Promise<Members>
}

const PAGE = 100
const MOST_WALKS = 4
const HIDDEN = { show_hidden: 'true', show_hidden_parameters: 'true' }

/** Creates the reader of records. */
export function createTheirRecords(server: OldServer): TheirRecords {
  const plugins = new Map<string, boolean>()
  const get = async (
    route: Route,
    params: Readonly<Record<string, string>>,
    query: Readonly<Record<string, string | number>>,
  ) => {
    let last: unknown
    for (const path of pathsOf(route, plugins.get(route.group))) {
      try {
        const body = await server.get(fill(path, params), query)
        plugins.set(route.group, path.startsWith(LOOKED_UP_CLASSES))
        return translate(route, body)
      } catch (error) {
        if (!(error instanceof Unreadable) || plugins.has(route.group)) throw error
        last ??= error
      }
    }
    throw last
  }
  return {
    list: (route, params) => walk((query) => get(route, params, query)),
    show: (route, params) => get(route, params, HIDDEN),
  }
}

/** The paths under which servers of different versions have a route: once one has answered, those like it. */
function pathsOf(route: Route, isPlugin: boolean | undefined): readonly string[] {
  const [path = ''] = toVendorPaths(route.path)
  const ofPlugin = path.replace(/^\/api\//, `${LOOKED_UP_CLASSES}/`)
  return isPlugin === undefined && ofPlugin !== path ? [path, ofPlugin] : [isPlugin ? ofPlugin : path]
}

function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))
}

const plans = new WeakMap<Route, TranslationPlan | null>()

function translate(route: Route, body: Members): Members {
  const schema = route.answers[200]
  if (!plans.has(route)) plans.set(route, schema ? buildTranslationPlan(schema, 'ours', route.group) : null)
  const plan = plans.get(route)
  if (plan && !Array.isArray(body)) translateBody(body, plan)
  return body
}

type Fetch = (query: Readonly<Record<string, string | number>>) => Promise<Members>

/**
 * Walks a list. Records that are created or deleted meanwhile shift pages by number, so that a long list is read by id,
 * each page behind the last id of the one before. Where it cannot be searched by id, its pages are read again until no
 * record is new.
 */
async function* walk(fetch: Fetch): AsyncGenerator<readonly Members[]> {
  const first = await fetch({ per_page: PAGE })
  const rows = rowsOf(first)
  if (rows.length < PAGE && rows.length >= Number(first.subtotal ?? first.total ?? 0)) {
    if (rows.length > 0) yield rows
    return
  }
  const seen = new Set<number>()
  const isById = yield* walkById(fetch, seen)
  if (!isById) yield* walkPages(fetch, seen)
}

/** Yields false where the server does not order by id; what it has yielded is in `seen`. */
async function* walkById(fetch: Fetch, seen: Set<number>): AsyncGenerator<readonly Members[], boolean> {
  for (let last = 0; ; ) {
    const query = { search: `id > ${last}`, order: 'id ASC', sort_by: 'id', sort_order: 'asc', per_page: PAGE, page: 1 }
    const rows = await fetch(query)
      .then(rowsOf)
      .catch((error: unknown) => {
        if (error instanceof Unreadable && last === 0) return null
        throw error
      })
    if (rows === null) return false
    const ids = rows.map(({ id }) => Number(id))
    if (ids.some((id, place) => !(id > (ids[place - 1] ?? last)))) return false
    for (const id of ids) seen.add(id)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return true
    last = ids.at(-1) ?? last
  }
}

async function* walkPages(fetch: Fetch, seen: Set<number>): AsyncGenerator<readonly Members[]> {
  for (let walked = 1; walked <= MOST_WALKS; walked++) {
    const before = seen.size
    for (let page = 1; ; page++) {
      const rows = rowsOf(await fetch({ page, per_page: PAGE }))
      const unseen = rows.filter(({ id }) => !seen.has(Number(id)))
      for (const { id } of unseen) seen.add(Number(id))
      if (unseen.length > 0) yield unseen
      if (rows.length < PAGE) break
    }
    if (walked > 1 && seen.size === before) return
  }
}

/** The rows of a page: a list, or an object of lists by module or name. */
function rowsOf({ results, error }: Members): readonly Members[] {
  if (typeof error === 'string') throw new Unreadable(error)
  if (Array.isArray(results)) return results.filter(isMembers)
  if (!isMembers(results)) throw new Unreadable('its list has no results')
  return Object.values(results).flat().filter(isMembers)
}
