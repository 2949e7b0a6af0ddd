import type { FastifyRequest } from 'fastify'
import { Failure } from '../errors.ts'
import { parseRemembering } from '../lib/lossless-json.ts'
import { type Members, membersOf } from '../lib/values.ts'

/** The most levels of nested objects and arrays, more than this API needs: bounds the recursion of what walks a body. */
const MAX_DEPTH = 64

/**
 * Reads the JSON object of a request, also on GET and DELETE; an empty body and anything but an object yield an empty object
 * (core-api §2.7). Other media types are not read. {@throws Failure} malformed
 */
export function readBody(request: FastifyRequest): Members {
  const value = readJson(request)
  return membersOf(value)
}

/** Reads the JSON list of a request; null for anything else. {@throws Failure} malformed */
export function readList(request: FastifyRequest): readonly unknown[] | null {
  const value = readJson(request)
  return Array.isArray(value) ? value : null
}

/** The most bytes of form data that are read. */
const LONGEST_FORM = 100_000

/** Reads form data, which curl and other servers send; an empty object for any other body. */
export function readForm({ body, headers }: FastifyRequest): Readonly<Record<string, string>> {
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '')
  if (!isForm || !Buffer.isBuffer(body) || body.length > LONGEST_FORM) return {}
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')))
}

function readJson(request: FastifyRequest): unknown {
  const raw = request.body
  if (!Buffer.isBuffer(raw) || raw.length === 0 || !isJson(request.headers['content-type'])) return undefined
  return parse(raw)
}

/** Requires POST and PUT to declare JSON, even without a body (core-api §1.1). {@throws Failure} wrong_media_type */
export function requireJson(request: FastifyRequest): void {
  if (request.method !== 'POST' && request.method !== 'PUT') return
  const type = request.headers['content-type']
  if (isJson(type)) return
  const shown = (type ?? '').slice(0, 100)
  throw new Failure(
    'wrong_media_type',
    `Media type in 'Content-Type: ${shown}' is unsupported in API v2 for POST and PUT requests. Please use 'Content-Type: application/json'.`,
  )
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(?:;|$)/i.test(type)
}

function parse(raw: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw)
  } catch (cause) {
    throw createRefusal('the text is not valid UTF-8', cause)
  }
  if (isDeeperThan(text, MAX_DEPTH)) throw createRefusal(`objects and arrays are nested deeper than ${MAX_DEPTH}`)
  try {
    return parseRemembering(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unreadable'
    throw createRefusal(reason.slice(0, 300), cause, findUnread(text, reason))
  }
}

function createRefusal(reason: string, cause?: unknown, unread?: string): Failure {
  const details = unread === undefined ? {} : { unread }
  return new Failure('malformed', `There was a problem in the JSON you submitted: ${reason}`, details, { cause })
}

/** Yields up to 300 characters from where the parser stopped; from the beginning where the text ends too early. */
function findUnread(text: string, reason: string): string {
  const position = /at position (\d+)/.exec(reason)?.[1]
  const rest = position === undefined ? '' : text.slice(Number(position))
  return (rest === '' ? text : rest).slice(0, 300)
}

/** Tells whether a text nests deeper than the limit, by the brackets outside of its strings, before it is parsed. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (inString) {
      if (char === 0x5c) index++
      else if (char === 0x22) inString = false
    } else if (char === 0x22) inString = true
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > limit) return true
    } else if (char === 0x7d || char === 0x5d) depth--
  }
  return false
}
