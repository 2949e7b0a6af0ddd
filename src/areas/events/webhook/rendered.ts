import { isMembers } from '../../../lib/values.ts'
import { buildUrlLanguage } from '../../../requests/languages.ts'

/** The content of messages without a template: the event itself. */
export const EVENT_CONTENT = 'application/cloudevents+json'

/** Yields what is wrong with the URL of a receiver; null for a correct one. */
export const { findProblem: findUrlProblem } = buildUrlLanguage(
  /^https?:\/\/[^\s/\\?#@]+(?:[/?][^\s\\#]*)?$/,
  'must be a URL like https://hooks.example.test/millwright, without user, password and fragment',
)

/** The message for headers that cannot be sent. */
export const NOT_HEADERS =
  'must be a JSON object of header names and texts, without the headers of HTTP itself and webhook-*'

/** Whether a text is a JSON object of headers that a webhook may send. */
export function isHeaders(text: string): boolean {
  return parseHeaders(text) !== null
}

/** Parses a JSON object of headers that a webhook may send; null for anything else. */
export function parseHeaders(text: string): Readonly<Record<string, string>> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    if (!isMembers(parsed)) return null
    const headers = Object.entries(parsed).filter((one): one is [string, string] => isHeader(one))
    return headers.length === Object.keys(parsed).length ? Object.fromEntries(headers) : null
  } catch {
    return null
  }
}

const OWN = /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|webhook-.*)$/i

function isHeader([name, text]: readonly [string, unknown]): boolean {
  return (
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !OWN.test(name) && typeof text === 'string' && /^[\t\x20-\x7e]*$/.test(text)
  )
}
