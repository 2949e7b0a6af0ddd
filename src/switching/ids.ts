import type { Kind } from './kinds.ts'
import { KINDS } from './kinds.ts'

/** Which record here stands for which record of the old server. */
export interface Ids {
  readonly get: (kind: string, theirs: number) => number | undefined
  readonly set: (kind: Kind, theirs: number, ours: number) => void
  /** The ids of the old server of all records of a kind. */
  readonly theirs: (kind: string) => readonly number[]
}

/** Creates an empty map of ids. */
export function createIds(): Ids {
  const maps = new Map<string, Map<number, number>>()
  const findMap = (name: string) => {
    const known = maps.get(name) ?? new Map<number, number>()
    maps.set(name, known)
    return known
  }
  return {
    get: (kind, theirs) => maps.get(kind)?.get(theirs),
    set: ({ name, also = [] }, theirs, ours) => {
      for (const one of [name, ...also]) findMap(one).set(theirs, ours)
    },
    theirs: (kind) => [...findMap(kind).keys()],
  }
}

const RANKS: ReadonlyMap<string, number> = new Map(
  KINDS.flatMap(({ name, also = [] }, rank) => [name, ...also].map((one) => [one, rank] as const)),
)

/** Whether records of a kind are taken no earlier than those of another, so that links to them are set afterwards. */
export function isTakenLater(target: string, kind: Kind): boolean {
  return (RANKS.get(target) ?? -1) >= (RANKS.get(kind.name) ?? 0)
}
