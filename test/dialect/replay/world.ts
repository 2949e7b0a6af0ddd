import type { Json, JsonObject } from './exchanges.ts'
import { fillPath, findNamed } from './finding.ts'
import { KINDS, type Kind, PARAMETER } from './kinds.ts'
import { settle } from './making.ts'
import { numberOf } from './records.ts'

/** What came back from the listener. */
export interface Answer {
  readonly status: number
  readonly body: Json | undefined
  readonly text: string
}

/** Sends a request to the vendor listener. */
export type Send = (method: string, url: string, body?: unknown) => Promise<Answer>

/** Sends a request to the vendor listener with these headers only, and this body. */
export type Say = (request: {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
}) => Promise<Answer>

/** What a world stands on: the listener, and the few things that only a database or a peer can give. */
export interface Ground {
  readonly send: Send
  /** The same for requests that are not as clients send them. */
  readonly say: Say
  /** As a user without any permission. */
  readonly powerless: Send
  /** As somebody who may see that user, and nothing else. */
  readonly colleagueOf: (user: number) => Promise<Send>
  /** Stores a parameter of a class, which otherwise only an import does. */
  readonly storeParameter: (puppetclass: number, name: string, record: JsonObject) => Promise<number>
  /** What makes an LDAP source ask a directory that answers. */
  readonly directory: JsonObject
  /** Where smart proxies that answer are; each needs a URL of its own. */
  readonly proxyUrl: () => string
  /** The smart proxy there no longer answers. */
  readonly silenceProxy: (url: string) => void
}

/** Where a record is wanted: below which records of ours, by kind. */
export type Around = Readonly<Record<string, number>>

/** Records of ours that stand for recorded ones; those that are needed and missing are made. */
export interface World {
  readonly ground: Ground
  /** Why records could not be made, since the last time this was emptied. */
  readonly failures: string[]
  /** Records that exchanges of the case made themselves, as `kind id`. */
  readonly own: Set<string>
  readonly idFor: (kind: string, recorded: number) => number | undefined
  readonly know: (kind: string, recorded: number, ours: number) => void
  readonly forget: (kind: string, recorded: number) => void
  /** A record of ours is gone. */
  readonly lose: (kind: string, ours: number) => void
  /** Forgets which records stand for which; they stay. */
  readonly forgetAll: () => void
  /** The id of the record of ours that stands for a recorded one, or null when none can be made. */
  readonly ensure: (kind: string, recorded: JsonObject, around?: Around) => Promise<number | null>
  /** The record of that name, if there is one. */
  readonly find: (kind: string, label: string, around?: Around) => Promise<JsonObject | null>
  /** Everything the recordings of this case say of a record. */
  readonly recall: (kind: string, recorded: number) => JsonObject | undefined
}

/** A world without records; `recall` knows what recordings say of a record that an exchange only names. */
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
