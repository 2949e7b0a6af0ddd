import type { Experiment } from './laboratory.ts'
import { keyOf, type Recorded } from './recorder.ts'

/**
 * Formats requests of an administrator with their answers, a line for each operation, for the pages at /docs. Of lists there are
 * the first items only, and what differs each time is always the same.
 */
export function formatExamples(
  tried: ReadonlyMap<string, readonly Experiment[]>,
  recorded: ReadonlyMap<string, Recorded>,
): string {
  const told = [...tried.values()]
    .flat()
    .filter(({ title, answer }) => title.endsWith('an administrator') && answer.status < 300)
    .map(({ route, input, answer }) => [keyOf(route), { input, answer: answer.body }] as const)
  const lines = [...new Map([...told, ...recorded])].map(
    ([key, one]) => `${JSON.stringify(key)}: ${toConstant(JSON.stringify(exampleOf(one)))}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

function exampleOf({ input: { params = {}, query = {}, body }, answer }: Recorded): object {
  return {
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
    ...(answer !== undefined && { answer: shorten(answer) }),
  }
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MOST).map(shorten)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]))
}

/** Replaces times and random values. */
function toConstant(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-03-31T14:25:36Z')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000/g, '2026-03-31T14:25:36+0000')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, '2026-03-31 14:25:36 UTC')
    .replace(/(?<="(?:cp|product)_id":")\d{12}(?=")/g, '104857600001')
    .replace(/(?<="cp_id":")[0-9a-f]{32}(?=")/g, '6f1c2f0a3d5e4b7a9c812e4d6a8b0c13')
    .replace(/(?<=,)[0-9a-f]{32}(?=,)/g, '6f1c2f0a3d5e4b7a9c812e4d6a8b0c13')
    .replace(/(?<=,)\d{12}(?=,)/g, '104857600001')
    .replace(/"(?:less than a|\d+) minutes?"/g, '"less than a minute"')
    .replace(/(?<="csrf_token":")[\w-]{43}(?=")/g, 'x'.repeat(43))
    .replace(/(-----BEGIN [A-Z ]+-----\\n).*?(\\n-----END)/g, '$1...$2')
    .replace(/mwr_[\w-]{43}/g, `mwr_${'x'.repeat(43)}`)
    .replace(/(?<="duration_ms":")\d+(?=")/g, '1')
    .replace(/(?<="(?:milliseconds|duration)":)[\d.]+/g, '1')
    .replace(/whsec_[\w+/]{43}=/g, `whsec_${'x'.repeat(43)}=`)
    .replace(/(?<="device_code":")[\w-]{43}(?=")/g, 'x'.repeat(43))
    .replace(/(?<="user_code":"|user_code=)[A-Z]{4}-[A-Z]{4}/g, 'WDJB-MJHT')
    .replace(/mw_[\w-]{48}/g, `mw_${'x'.repeat(48)}`)
    .replace(/(?<="secret":"|secret=)[A-Z2-7]{32}/g, 'A'.repeat(32))
    .replace(/(?<="code":")\d{6}(?=")/g, '123456')
    .replace(/(?<=")(?:[a-z2-9]{4}-){3}[a-z2-9]{4}(?=")/g, 'xxxx-xxxx-xxxx-xxxx')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '6f1c2f0a-3d5e-4b7a-9c81-2e4d6a8b0c13')
}

const MOST = 2
