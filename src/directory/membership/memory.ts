/** Remembers for a short time which groups contain which: this changes rarely and is needed at every login. */
import { LRUCache } from 'lru-cache'

/** A group with the names that it is known by. */
export interface Group {
  readonly dn: string
  readonly names: readonly string[]
}

/** A netgroup: logins, and the names of other netgroups in it. */
export interface Netgroup {
  readonly name: string
  readonly logins: ReadonlySet<string>
  readonly groups: readonly string[]
}

/** What is remembered of the groups of one directory for a short time. */
export interface GroupMemory {
  /** The groups that contain a group directly, by its normalized DN; a primary group and all above it, by identifier. */
  readonly parents: Kept<readonly Group[]>
  /** Groups whose DN does not contain their name, by DN. */
  readonly groups: Kept<Group>
  /** All netgroups, under ''. */
  readonly netgroups: Kept<readonly Netgroup[]>
  /**
   * The attributes in which groups of this directory list their members, under ''; attributes that the server lacks, by
   * name.
   */
  readonly lists: Kept<readonly string[]>
}

interface Kept<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
}

const KEPT_MS = 60_000
const MOST = 20_000

/** Creates an empty memory for one directory. */
export function createGroupMemory(now: () => number): GroupMemory {
  return { parents: createKept(now), groups: createKept(now), netgroups: createKept(now), lists: createKept(now) }
}

function createKept<V>(now: () => number): Kept<V> {
  const cache = new LRUCache<string, { value: V; until: number }>({ max: MOST })
  return {
    get(key) {
      const found = cache.get(key)
      return found && found.until > now() ? found.value : undefined
    },
    set: (key, value) => void cache.set(key, { value, until: now() + KEPT_MS }),
  }
}
