import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** JSON as it was recorded. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/**
 * One request to a real server and its answer. Long texts and lists of the answers are cut, bodies of requests are whole.
 * `client` ones were recorded from a client at work, in sequence; `documentation` ones are examples of the servers'
 * documentation, taken one by one from their own tests.
 */
export interface Exchange {
  readonly by: 'client' | 'documentation'
  /** The version of the server, `3.5.0-rc1` or `katello/4.10`. */
  readonly server: string
  readonly group: string
  /** What the client was doing, and in which step of it; only of clients. */
  readonly case?: string
  readonly step?: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly request: Json
  readonly status: number
  readonly response: Json
}

/** Exchanges that share a world: what one client did in sequence, or the examples of one group and version. */
export interface Case {
  readonly name: string
  readonly by: Exchange['by']
  readonly exchanges: readonly Exchange[]
}

/** All recordings, in the order in which they were made. */
export function recordedCases(): Case[] {
  const text = brotliDecompressSync(
    readFileSync(join(import.meta.dirname, '../recorded/exchanges.jsonl.br')),
  ).toString()
  const exchanges = text.split('\n').filter(Boolean).map(readExchange)
  const cases = Map.groupBy(exchanges, ({ by, case: name, server }) =>
    by === 'client' ? String(name) : `documentation of ${server}`,
  )
  return [...cases].map(([name, members]) => ({ name, by: members[0]?.by ?? 'client', exchanges: members }))
}

function readExchange(line: string): Exchange {
  return JSON.parse(line) as Exchange // the file is ours, in this shape
}

/** Whether a value is a record of keys. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a list. Array.isArray does not narrow read-only ones. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
