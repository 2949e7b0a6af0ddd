import { membersOf, resultsOf } from '../../lib/values.ts'
import { findKey, type Identities, kindOfReference } from './identities.ts'

/** A request of a client, taken apart. */
export interface Route {
  /** The path with `:id` for each record, without a version: `/api/hosts/:id/facts`. */
  readonly pattern: string
  /** The kind of the records in the answer. */
  readonly kind: string
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

/** The parts of the API; only their answers are compared, pages and files for machines are not. */
const PREFIXES = ['/katello/api', '/foreman_puppet/api', '/foreman_tasks/api', '/ansible/api', '/api']

/** Takes the path of a request apart; null for one that is not compared. */
export function parseRoute(url: string): Route | null {
  const [path = '', query = ''] = url.split('?', 2)
  const prefix = PREFIXES.find((each) => path === each || path.startsWith(`${each}/`))
  if (prefix === undefined) return null
  const words = path
    .slice(prefix.length)
    .split('/')
    .filter((word) => word !== '' && word !== 'v2')
  // Words and ids take turns; a word in the place of an id is an action.
  const isId = (at: number) => at % 2 === 1 && (/^\d/.test(words[at] ?? '') || !/^[a-z_]+$/.test(words[at] ?? ''))
  const pattern = [prefix, ...words.map((word, at) => (isId(at) ? ':id' : word))].join('/')
  const kind = words.findLast((_, at) => at % 2 === 0) ?? ''
  return { pattern, kind, segments: [prefix, ...words], query: new URLSearchParams(query) }
}

/** Reads a JSON answer of one of the two servers; null where the server refuses it. */
export type Read = (side: 'upstream' | 'here', path: string) => Promise<unknown>

/**
 * Yields the path of the same request for this server, with its own ids; a text with the reason where a record of the request
 * is not known here.
 */
export async function translateRoute(
  { segments, query }: Route,
  identities: Identities,
  read: Read,
): Promise<{ readonly path: string } | { readonly reason: string }> {
  const [prefix = '', ...words] = segments
  const own: string[] = []
  for (const [at, word] of words.entries()) {
    const id =
      at % 2 === 1 && /^\d+(?:-|$)/.test(word)
        ? await findOwnId(prefix, words[at - 1] ?? '', Number.parseInt(word, 10))
        : word
    if (id === null) return { reason: `no counterpart in ${words[at - 1]}` }
    own.push(String(id))
  }
  const parameters = new URLSearchParams()
  for (const [key, value] of query) {
    const kind = kindOfReference(key)
    const id = kind !== null && /^\d+$/.test(value) ? await findOwnId(prefix, kind, Number(value)) : value
    if (id === null) return { reason: `no counterpart in ${kind}` }
    parameters.append(key, String(id))
  }
  const text = parameters.toString()
  return { path: `${[prefix, ...own].join('/')}${text === '' ? '' : `?${text}`}` }

  async function findOwnId(at: string, kind: string, id: number): Promise<number | null> {
    const base = PLACES.has(kind) ? `/api/${kind}` : `${at}/${kind}`
    if (identities.keyOf('upstream', kind, id) === null) {
      identities.learnBody('upstream', kind, await read('upstream', `${base}/${id}`))
    }
    const key = identities.keyOf('upstream', kind, id)
    if (key === null) return null
    const search = `${kind === 'users' ? 'login' : NAMED_BY_TITLE.has(kind) ? 'title' : 'name'} = ${JSON.stringify(key)}`
    const scope = query.get('organization_id') === null || PLACES.has(kind) ? {} : await findScope(at)
    const found = resultsOf(membersOf(await read('here', `${base}?${new URLSearchParams({ search, ...scope })}`)))
    const [record] = found.filter((each) => findKey(each) === key)
    const ownId = record?.['id']
    return typeof ownId === 'number' ? ownId : null
  }

  async function findScope(at: string): Promise<Record<string, string>> {
    const id = await findOwnIdOfPlace(at)
    return id === null ? {} : { organization_id: String(id) }
  }

  async function findOwnIdOfPlace(at: string): Promise<number | null> {
    const value = query.get('organization_id') ?? ''
    return /^\d+$/.test(value) ? findOwnId(at, 'organizations', Number(value)) : null
  }
}

const PLACES: ReadonlySet<string> = new Set(['organizations', 'locations'])
const NAMED_BY_TITLE: ReadonlySet<string> = new Set(['hostgroups', 'organizations', 'locations', 'operatingsystems'])
