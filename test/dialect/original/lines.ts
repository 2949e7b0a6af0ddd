import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Json, JsonObject } from '../replay/exchanges.ts'

/**
 * A request to a running server and its answer, which is missing where the server failed. Lists show their first two
 * results.
 */
export interface Line {
  readonly n: number
  /** The resource; `v1`, `v2` and `v3` are requests to such a path, between those of a resource. */
  readonly group: string
  readonly method: string
  /**
   * `{x1}`, `{x2}` and `{x3}` are the ids of kept records, `{tmp}` that of the last created record, `{org1}` and `{loc1}`
   * those of the default organization and location.
   */
  readonly path: string
  readonly query?: JsonObject
  /** The body as JSON. */
  readonly body?: Json
  /** The body as raw text. */
  readonly raw?: string
  /** Headers in addition to the usual ones, or instead of them; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly label?: string | null
  /** The created record is kept under this name; others were deleted before the next line. */
  readonly keep?: string
  readonly status: number
  readonly answer?: Json
}

/** The requests about one resource in order, with those to versions of its path. */
export interface Section {
  readonly group: string
  readonly lines: readonly Line[]
}

/** Reads all recorded lines by resource. */
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
