import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { splitServers } from '../database/primary.ts'
import { LOG_LEVELS_FORM, type LogLevels, parseLogLevels } from './log-levels.ts'

/**
 * A kind of value: it parses text, and its description completes the sentence "must be …". Flags, variables and files all
 * yield text, so that a value means the same wherever it comes from.
 */
export type Kind<Value> = z.ZodType<Value, string>

/** A whole number in a range; `note` explains a special value. */
export function integer(min: number, max: number, note?: string): Kind<number> {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .describe(`a whole number from ${min} to ${max}${note ? ` (${note})` : ''}`)
}

/** One of a few words. */
export function oneOf<const Words extends readonly string[]>(words: Words): Kind<Words[number]> {
  return z
    .string()
    .pipe(z.enum(words))
    .describe(`one of ${words.join(', ')}`)
}

/** The levels from which events are logged. */
export function logLevels(): Kind<LogLevels> {
  return z
    .string()
    .transform((value) => parseLogLevels(value))
    .pipe(z.custom<LogLevels>((levels) => levels !== null))
    .describe(LOG_LEVELS_FORM)
}

/** On or off. */
export function onOff(): Kind<boolean> {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(['on', 'off', 'true', 'false']))
    .transform((word) => word === 'on' || word === 'true')
    .describe('on or off')
}

/** A duration with its unit, in milliseconds. The unit is required, so that nobody has to guess what `30` means. */
export function duration(min: string, max: string): Kind<number> {
  return z
    .string()
    .transform(parseMilliseconds)
    .pipe(z.number().min(parseMilliseconds(min)).max(parseMilliseconds(max)))
    .describe(`a time with its unit from ${min} to ${max}, such as 500ms, 30s, 5m or 1h`)
}

/** A number of bytes, with or without a binary unit. */
export function size(min: string, max: string): Kind<number> {
  return z
    .string()
    .transform(parseBytes)
    .pipe(z.int().min(parseBytes(min)).max(parseBytes(max)))
    .describe(`a size from ${min} to ${max}, such as 65536, 512KiB or 1MiB`)
}

/** The path prefix of the service: it begins and ends with a slash; the one at the end may be left out. */
export function basePath(): Kind<string> {
  return z
    .string()
    .regex(/^\/(?:[\w.~-]+\/?)*$/)
    .transform((path) => (path.endsWith('/') ? path : `${path}/`))
    .describe('a path of letters, digits, ., _, ~ and -, such as / or /fleet/')
}

/** Text of limited length without control characters. */
export function text(min: number, max: number): Kind<string> {
  return z
    .string()
    .min(min)
    .max(max)
    .regex(/^\P{Cc}*$/u)
    .describe(`text of ${min} to ${max} characters`)
}

/** An address to listen on. */
export function host(): Kind<string> {
  return z
    .string()
    .refine((value) => isIP(value) > 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(value))
    .describe('an IP address or a host name (0.0.0.0 or :: for every interface)')
}

/** A directory or a file; relative ones start from the working directory. */
export function path(description: string): Kind<string> {
  return z
    .string()
    .regex(/^[^\0]+$/)
    .transform((value) => resolve(value))
    .describe(description)
}

/** The data directory, or `memory` for none. */
export function dataDirectory(): Kind<string> {
  return z
    .union([z.literal('memory'), path('a directory')])
    .describe('a directory, or memory for a database that ends with the process')
}

/** The address of a PostgreSQL database. */
export function databaseUrl(): Kind<string> {
  return z.string().refine(isDatabaseUrl).describe('an address like postgresql://user:password@host:5432/database')
}

/** The address of a PostgreSQL database on one server, or on several of which one is writable. */
export function databaseUrls(): Kind<string> {
  return z
    .string()
    .refine((value) => splitServers(value).every(isDatabaseUrl) && SESSIONS.test(value))
    .describe(
      'an address like postgresql://user:password@host:5432/database, where several hosts are separated by commas',
    )
}

/** Matches an address that does not ask for a read-only server: a list of servers is for the one that takes writes. */
const SESSIONS = /^(?!.*[?&]target_session_attrs=(?!(read-write|primary)(&|$)))/

// The address of a server on a Unix socket has its directory in ?host= and nothing between the user and the database.
function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//.test(value) && URL.canParse(value.replace('@/', '@socket/'))
}

/** An HTTP address without credentials: secrets are configured separately. */
export function httpUrl(): Kind<string> {
  return z
    .string()
    .refine((value) => /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(value) && URL.canParse(value))
    .describe('an address like http://127.0.0.1:4318, without user, password and query')
}

/** An HTTPS address without credentials, or an HTTP address of this machine. */
export function secureUrl(): Kind<string> {
  return httpUrl()
    .refine((value) => /^(?:https:|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/]|$))/.test(value))
    .transform((value) => value.replace(/\/+$/, ''))
    .describe('an address like https://vault.example.test:8200, or of this machine with http')
}

/** Addresses and networks, separated by commas. */
export function networks(): Kind<readonly string[]> {
  return z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter((part) => part !== ''))
    .pipe(z.array(z.string().refine(isNetwork)))
    .describe('IP addresses or networks like 10.0.0.0/8, separated by commas')
}

/** Paths from the root, separated by commas. */
export function absolutePaths(): Kind<readonly string[]> {
  return z
    .string()
    .transform((value) => value.split(/\s*,\s*/).filter((part) => part !== ''))
    .pipe(z.array(z.string().regex(/^\/[^\0]+$/)))
    .describe('paths that begin with a slash, separated by commas')
}

/** Yields the kind extended by null for a value that is not set. */
export function optional<Value>(kind: Kind<Value>): z.ZodType<Value | null, string | null> {
  return kind.nullable().describe(kind.description ?? '')
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

function parseMilliseconds(value: string): number {
  const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
  return parseAmount(value === '0' ? '0s' : value, units)
}

function parseBytes(value: string): number {
  const units = { '': 1, b: 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }
  return parseAmount(value, units)
}

/** Parses a number with a unit; NaN, which every range refuses, when either cannot be parsed. */
function parseAmount(value: string, units: Record<string, number>): number {
  const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?) ?([a-z]*)$/i.exec(value) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN)
}
