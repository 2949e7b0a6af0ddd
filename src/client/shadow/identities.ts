import { createLruCache } from '../../lib/lru-cache.ts'
import { isMembers, type Members } from '../../lib/values.ts'

/** The two servers: the old one, and this one. */
export type Side = 'upstream' | 'here'

/** What each server calls its records: two servers give the same record different ids, but the same name. */
export interface Identities {
  /** Learns from two objects, one of each server, which ids belong to which names. */
  readonly learnPair: (kind: string, theirs: Members, ours: Members) => void
  /** Learns the records of an answer to a request for a kind, such as `hosts`. */
  readonly learnBody: (side: Side, kind: string, body: unknown) => void
  /** Yields the name of a record; null where no answer has told it. */
  readonly keyOf: (side: Side, kind: string, id: number) => string | null
}

/** About as many records as fit into 50 MB. */
const MOST = 200_000

/** Creates the names of two servers' records, empty at first. */
export function createIdentities(): Identities {
  const names = createLruCache<string, string>(MOST)
  const learn = (side: Side, kind: string, record: Members) => {
    const key = findKey(record)
    if (typeof record['id'] === 'number' && key !== null) names.set(`${side} ${kind} ${record['id']}`, key)
    for (const [name, value] of Object.entries(record)) {
      const of = name.endsWith('_id') && typeof value === 'number' ? kindOfReference(name) : null
      const known = of === null ? undefined : record[name.replace(/_id$/, NESTED.has(of) ? '_title' : '_name')]
      if (of !== null && typeof known === 'string') names.set(`${side} ${of} ${value}`, known)
    }
  }
  return {
    learnPair(kind, theirs, ours) {
      learn('upstream', kind, theirs)
      learn('here', kind, ours)
    },
    learnBody(side, kind, body) {
      if (!isMembers(body)) return
      learn(side, kind, body)
      if (Array.isArray(body['results']))
        for (const each of body['results']) if (isMembers(each)) learn(side, kind, each)
    },
    keyOf: (side, kind, id) => names.get(`${side} ${kind} ${id}`) ?? null,
  }
}

/** Yields the name by which both servers know a record; null where it has none. */
export function findKey(record: unknown): string | null {
  if (!isMembers(record)) return null
  const found = ['title', 'login', 'name'].map((key) => record[key]).find((value) => typeof value === 'string')
  return found === undefined || found === '' ? null : String(found)
}

/** Kinds whose records are known by their title, because names repeat. */
const NESTED: ReadonlySet<string> = new Set(['hostgroups', 'organizations', 'locations', 'operatingsystems'])

/** Kinds of references that are not the plural of their key. */
const OTHERS: Readonly<Record<string, string | null>> = {
  medium: 'media',
  subnet6: 'subnets',
  content_source: 'smart_proxies',
  puppet_proxy: 'smart_proxies',
  puppet_ca_proxy: 'smart_proxies',
  kickstart_repository: 'repositories',
  lifecycle_environment: 'environments of content',
  owner: null,
  parent: null,
  environment: null, // of classes or of content, by the request
}

/** Yields the kind that a key such as `hostgroup_id` refers to; null where its name does not say it. */
export function kindOfReference(key: string): string | null {
  const match = /^(\w+?)_ids?$/.exec(key)
  const name = match?.[1]
  if (name === undefined) return null
  if (Object.hasOwn(OTHERS, name)) return OTHERS[name] ?? null
  if (name.endsWith('y')) return `${name.slice(0, -1)}ies`
  return /(?:s|x)$/.test(name) ? `${name}es` : `${name}s`
}
