import type { Json, JsonObject } from './exchanges.ts'
import { fillPath, findNamed } from './finding.ts'
import { KINDS, type Kind, PARAMETER } from './kinds.ts'
import { settle } from './making.ts'
import { numberOf } from './records.ts'

/** The answer of the listener. */
export interface Answer {
  readonly status: number
  readonly body: Json | undefined
  readonly text: string
}

/** Sends a request to the vendor listener. */
export type Send = (method: string, url: string, body?: unknown) => Promise<Answer>

/** Sends a request with exactly these headers and this body. */
export type Say = (request: {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
}) => Promise<Answer>

/** The surroundings of a world: the listener, and functions that need a database or a peer. */
export interface Ground {
  readonly send: Send
  /** Sends a request that is not in the usual form of clients. */
  readonly say: Say
  /** Sends as a user without permissions. */
  readonly powerless: Send
  /** Sends as a user who may only view that user. */
  readonly colleagueOf: (user: number) => Promise<Send>
  /** Stores a class parameter, which otherwise only an import creates. */
  readonly storeParameter: (puppetclass: number, name: string, record: JsonObject) => Promise<number>
  /** Keys that make an LDAP source use a reachable directory. */
  readonly directory: JsonObject
  /** Yields a new URL of a reachable smart proxy. */
  readonly proxyUrl: () => string
  /** Makes the smart proxy at this URL unreachable. */
  readonly silenceProxy: (url: string) => void
}

/** Our ids of the records below which a record is wanted, by kind. */
export type Around = Readonly<Record<string, number>>

/** Our records that stand for recorded ones; missing ones are created on demand. */
export interface World {
  readonly ground: Ground
  /** Why records could not be created, since this was last emptied. */
  readonly failures: string[]
  /** Records that exchanges of the case created themselves, as `kind id`. */
  readonly own: Set<string>
  readonly idFor: (kind: string, recorded: number) => number | undefined
  readonly know: (kind: string, recorded: number, ours: number) => void
  readonly forget: (kind: string, recorded: number) => void
  /** Forgets a deleted record. */
  readonly lose: (kind: string, ours: number) => void
  /** Forgets which records stand for which; the records stay. */
  readonly forgetAll: () => void
  /** Yields the id of our record for a recorded one; null when it cannot be created. */
  readonly ensure: (kind: string, recorded: JsonObject, around?: Around) => Promise<number | null>
  /** Finds the record with this name, if there is one. */
  readonly find: (kind: string, label: string, around?: Around) => Promise<JsonObject | null>
  /** Yields everything that the recordings of this case tell about a record. */
  readonly recall: (kind: string, recorded: number) => JsonObject | undefined
}

/** Creates an empty world; `recall` yields what recordings tell about a record that an exchange only names. */
export function createWorld(ground: Ground, recall: World['recall']): World {
  const ids = new Map<string, number>()
  const failures: string[] = []
  const pending = new Set<string>()
  const keyOf = (kind: string, id: number) => `${kind} ${id}`
  const world: World = {
    ground,
    failures,
    own: new Set(),
    recall,
    idFor: (kind, recorded) => ids.get(keyOf(kind, recorded)),
    know: (kind, recorded, ours) => void ids.set(keyOf(kind, recorded), ours),
    forget: (kind, recorded) => void ids.delete(keyOf(kind, recorded)),
    lose: (kind, ours) => {
      for (const [key, id] of ids) if (id === ours && key.startsWith(`${kind} `)) ids.delete(key)
    },
    forgetAll: () => ids.clear(),
    find: async (kind, label, around = {}) => {
      const known = definitionOf(kind, around)
      const path = known && (await fillPath(world, known.path, known, {}, around))
      return known && path ? findNamed(ground.send, path, known, label) : null
    },
    ensure: async (kind, said, around = {}) => {
      const recorded = numberOf(said.id)
      const known = recorded === null ? undefined : ids.get(keyOf(kind, recorded))
      if (known !== undefined) return known
      const definition = definitionOf(kind, around)
      const key = `${kind} ${recorded ?? JSON.stringify(said)}`
      if (!definition || pending.has(key)) return null
      pending.add(key)
      const record = { ...(recorded === null ? {} : recall(kind, recorded)), ...said }
      const ours = await settle(world, kind, definition, record, around)
      pending.delete(key)
      if (ours !== null && recorded !== null) ids.set(keyOf(kind, recorded), ours)
      return ours
    },
  }
  return world
}

function definitionOf(kind: string, around: Around): Kind | undefined {
  if (kind !== 'parameter') return KINDS[kind]
  const [parent = 'host'] = Object.keys(around).filter(
    (each) => each !== 'organization' || Object.keys(around).length === 1,
  )
  const collection = KINDS[parent]?.path.split('/').at(-1)
  return collection ? { ...PARAMETER, path: `/api/${collection}/:parent/parameters`, within: parent } : undefined
}
