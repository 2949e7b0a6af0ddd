import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** JSON as it was recorded. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/**
 * A request to a real server and its answer. Long texts and lists in answers are shortened, bodies of requests are complete.
 * `client` exchanges were recorded in sequence from a working client; `documentation` ones are single examples from the
 * servers' documentation.
 */
export interface Exchange {
  readonly by: 'client' | 'documentation'
  /** The version of the server, `3.5.0-rc1` or `katello/4.10`. */
  readonly server: string
  readonly group: string
  /** The task and step of the client, for `client` exchanges. */
  readonly case?: string
  readonly step?: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly request: Json
  readonly status: number
  readonly response: Json
}

/** Exchanges that share a world: the sequence of one client, or the examples of one group and version. */
export interface Case {
  readonly name: string
  readonly by: Exchange['by']
  readonly exchanges: readonly Exchange[]
}

/** Reads all recordings, in their order. */
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
