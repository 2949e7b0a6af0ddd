import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Json, JsonObject } from '../replay/exchanges.ts'

/** One request to a running server and its answer, without one where the server failed. Lists show their first two results. */
export interface Line {
  readonly n: number
  /** The resource; `v1`, `v2` and `v3` are requests to such a path, between those of a resource. */
  readonly group: string
  readonly method: string
  /** `{x1}`, `{x2}` and `{x3}` are the ids of kept records, `{tmp}` that of the record made last, `{org1}` and `{loc1}` of the default places. */
  readonly path: string
  readonly query?: JsonObject
  /** Sent as JSON. */
  readonly body?: Json
  /** Sent as it is. */
  readonly raw?: string
  /** Beside or instead of the usual ones; null for none of that name. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly label?: string | null
  /** The record that was made here stays, under this name. Others were deleted again before the next line. */
  readonly keep?: string
  readonly status: number
  readonly answer?: Json
}

/** The requests about one resource, in order, with those to versions of its path. */
export interface Section {
  readonly group: string
  readonly lines: readonly Line[]
}

/** All that was recorded, by resource. */
export function recordedSections(): Section[] {
  const text = brotliDecompressSync(readFileSync(join(import.meta.dirname, '../recorded/original.jsonl.br'))).toString()
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line))
  let current = ''
  const sections = Map.groupBy(lines, ({ group }) => {
    if (!VERSION.test(group)) current = group
    return current
  })
  return [...sections].map(([group, members]) => ({ group, lines: members }))
}

const VERSION = /^v\d$/
