import { STATUS_CODES } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import { z } from 'zod'
import type { ProxyAccess } from '../../context.ts'
import { featureNameOf } from '../../words/protocols.ts'
import { type ProxyAnswer, sendRequest } from './proxy-request.ts'
import { type Trust, trustOf } from './proxy-trust.ts'
import type { ProxyTransport } from './transport.ts'
import { buildTimeoutTrouble, formatTrouble } from './troubles.ts'

/** A feature of a smart proxy, e.g. `DHCP`. */
export interface Feature {
  /** In the words of this service. */
  readonly name: string
  readonly capabilities: readonly string[]
  readonly settings: Readonly<Record<string, unknown>>
}

/** A proxy did not tell its features; the message has the reason, and nothing else of its answer. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError'
}

/** No proxy has more features than this. */
const MOST_FEATURES = 200

const DESCRIBED = z.record(
  z.string(),
  z.object({
    state: z.string().nullish(),
    capabilities: z.array(z.unknown()).nullish(),
    settings: z.record(z.string(), z.unknown()).nullish(),
  }),
)
const NAMED = z.array(z.string())

/**
 * Asks a proxy for its features: `GET <url>/v2/features`, of older ones `GET <url>/features`, within one time limit.
 * {@throws UnansweredError}
 */
export async function requestFeatures(url: string, reach: ProxyTransport): Promise<Feature[]> {
  const { contacts } = reach.access
  try {
    const features = await fetchFeatures(url, reach)
    contacts.succeeded(url)
    return features
  } catch (error) {
    if (error instanceof UnansweredError) contacts.failed(url, error.message)
    throw error
  }
}

async function fetchFeatures(url: string, reach: ProxyTransport): Promise<Feature[]> {
  const until = performance.now() + reach.timeoutMs
  const trust = chooseTrust(url, reach.access)
  const ask = (path: string) => get(url, path, trust, { ...reach, leftMs: Math.max(1, until - performance.now()) })
  const described = await ask('v2/features')
  if (isSuccess(described)) return readDescribedFeatures(described)
  const named = await ask('features')
  if (isSuccess(named)) return readNamedFeatures(named)
  throw new UnansweredError(`${named.status} ${STATUS_CODES[named.status] ?? ''}`.trim())
}

function chooseTrust(url: string, { tls }: ProxyAccess): Trust | null {
  if (!url.startsWith('https:')) return null
  const trust = trustOf(tls)
  if (trust === 'unreadable') throw new UnansweredError(formatTrouble({ reason: 'tls_settings' }))
  return trust
}

async function get(
  url: string,
  path: string,
  trust: Trust | null,
  { through, timeoutMs, leftMs }: ProxyTransport & { readonly leftMs: number },
): Promise<ProxyAnswer> {
  const end = await sendRequest({
    to: urlToHttpOptions(new URL(`${url}/${path}`)),
    trust,
    through,
    form: null,
    headers: { accept: 'application/json' },
    timeoutMs: leftMs,
    signal: NEVER,
    onBody: () => {},
  })
  if ('status' in end) return end
  if ('trouble' in end) throw new UnansweredError(formatTrouble(end.trouble))
  throw new UnansweredError(formatTrouble(buildTimeoutTrouble(timeoutMs, true)))
}

const NEVER = new AbortController().signal

function isSuccess({ status }: ProxyAnswer): boolean {
  return status >= 200 && status <= 299
}

function readDescribedFeatures(answer: ProxyAnswer): Feature[] {
  const described = DESCRIBED.safeParse(jsonOf(answer))
  if (!described.success) throw createNotFeatures()
  const running = Object.entries(described.data).filter(([, { state }]) => state === 'running')
  return sortFeatures(
    running.map(([name, { capabilities, settings }]) => ({
      name: featureNameOf(name),
      capabilities: (capabilities ?? []).filter((one) => typeof one === 'string'),
      settings: settings ?? {},
    })),
  )
}

function readNamedFeatures(answer: ProxyAnswer): Feature[] {
  const named = NAMED.safeParse(jsonOf(answer))
  if (!named.success) throw createNotFeatures()
  return sortFeatures(named.data.map((name) => ({ name: featureNameOf(name), capabilities: [], settings: {} })))
}

/** Reads the features that another server tells of a proxy. */
export function readToldFeatures(told: readonly Readonly<Record<string, unknown>>[]): Feature[] {
  const readWords = (list: unknown) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [])
  return sortFeatures(
    told.map(({ name, capabilities }) => ({
      name: featureNameOf(String(name)),
      capabilities: readWords(capabilities),
      settings: {},
    })),
  )
}

/** The features without repetition, sorted. */
function sortFeatures(features: readonly Feature[]): Feature[] {
  if (features.length > MOST_FEATURES) throw createNotFeatures()
  const known = new Map(features.filter(({ name }) => isName(name)).map((feature) => [feature.name, feature]))
  return [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function isName(text: string): boolean {
  return text.length <= 255 && /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(text)
}

function jsonOf({ body, isCut }: ProxyAnswer): unknown {
  if (isCut) throw new UnansweredError(formatTrouble({ reason: 'answer_too_large' }))
  try {
    return toStorable(JSON.parse(body.toString()))
  } catch {
    throw createNotFeatures()
  }
}

/** The value without NUL characters and halves of surrogate pairs, which the database cannot store. */
function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '')
  if (Array.isArray(value)) return value.map(toStorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [toStorable(key), toStorable(part)]))
}

function createNotFeatures(): UnansweredError {
  return new UnansweredError('the answer is not a list of features; check that the URL is the one of a smart proxy')
}
