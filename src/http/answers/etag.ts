import { hash } from 'node:crypto'
import { z } from 'zod'
import { badParameter } from '../../errors.ts'
import { printExact } from '../../lib/lossless-json.ts'
import type { Answer, Route } from '../../requests/route.ts'

/**
 * Computes the tag of the answer to a GET (RFC 9110 8.8.3); null for an answer that must not be cached. The tag is strong:
 * different bytes have different tags. For a record with counts, which other writes change, it has two parts,
 * `"<record>.<bytes>"`; writes compare the first only (docs/decisions/0022-conditions-on-writes.md).
 */
export function etagOf(route: Route, { body, headers }: Answer, text: string): string | null {
  // A handler may set an ETag of its own, or say that the answer must not be cached.
  if (headers?.etag !== undefined) return headers.etag
  if (headers?.['cache-control'] === 'no-store') return null
  const strip = countsOf(route)
  if (strip === null || typeof body === 'string') return `"${computeDigest(text)}"`
  return `"${computeDigest(printExact(strip(body)))}.${computeDigest(text)}"`
}

function computeDigest(text: string): string {
  return hash('sha1', text, 'base64url')
}

/** A tag in a condition; `opaque` includes its double quotes. */
interface Tag {
  readonly weak: boolean
  readonly opaque: string
}

/** The tags of a condition: any (`*`), or a list. */
export type Tags = '*' | readonly Tag[]

/** Reads the tags of If-Match or If-None-Match; `name` is the header's. {@throws Failure} bad_parameter for malformed ones */
export function readTags(name: string, header: string): Tags {
  if (header.trim() === '*') return '*'
  const parts = header.match(/^(?:[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$))+$/)
  const tags = [...header.matchAll(/(W\/)?("[^"]*")/g)].map(([, weak, opaque = '']) => ({ weak: !!weak, opaque }))
  if (parts === null || tags.length === 0)
    throw badParameter(name, header, 'must be * or tags of records in double quotes, with commas between them')
  return tags
}

/** Tells whether the tags are `*`, or one of them is strong and of the record as it is now (RFC 9110 13.1.1). */
export function matchesRecord(tags: Tags, etag: string): boolean {
  return tags === '*' || tags.some(({ weak, opaque }) => !weak && recordPart(opaque) === recordPart(etag))
}

function recordPart(etag: string): string {
  return etag.slice(1, -1).split('.', 1)[0] ?? ''
}

type Strip = (value: unknown) => unknown

/** Yields the function that removes counts from a route's record; null where the record has none. */
function countsOf(route: Route): Strip | null {
  if (!/:\w+$/.test(route.path)) return null
  const schema = route.answers[200]
  if (!schema) return null
  const known = strips.get(schema)
  if (known !== undefined) return known
  const made = stripOf(schema)
  strips.set(schema, made)
  return made
}

const strips = new WeakMap<z.ZodType, Strip | null>()

/** Matches declared keys that hold counts; data of users is never removed. */
const COUNT = /(?:^|_)counts?$/

// zod types the parts of composed schemas as its core types; each is a ZodType here.
function stripOf(schema: z.ZodType): Strip | null {
  if (schema instanceof z.ZodObject) return stripOfObject(schema)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return stripOf(schema.unwrap() as z.ZodType)
  if (!(schema instanceof z.ZodArray)) return null
  const each = stripOf(schema.element as z.ZodType)
  return each && ((value) => (Array.isArray(value) ? value.map(each) : value))
}

function stripOfObject({ shape }: z.ZodObject): Strip | null {
  const steps = Object.entries(shape).flatMap(([key, part]): [string, Strip][] => {
    if (COUNT.test(key)) return [[key, () => undefined]]
    const inner = stripOf(part as z.ZodType)
    return inner ? [[key, inner]] : []
  })
  if (steps.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const record: Record<string, unknown> = { ...value }
    for (const [key, step] of steps) if (record[key] !== undefined) record[key] = step(record[key])
    return record
  }
}
