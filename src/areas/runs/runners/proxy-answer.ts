import { STATUS_CODES } from 'node:http'
import { formatPrintable, type ProxyAnswer, type Trouble } from '../../proxies/index.ts'

/** The number of characters of an answer that are searched for a message. */
const LOOKED_AT = 8_192

/**
 * Why an answer does not mean success; null for success, which is 2xx with an empty body or JSON other than false and
 * null.
 */
export function problemOfAnswer({ status, phrase, location, body, isCut }: ProxyAnswer): Trouble | null {
  const text = body.toString()
  if (status < 200 || status > 299) {
    const title = `${status} ${formatPrintable(phrase, 60) || (STATUS_CODES[status] ?? '')}`.trim()
    const isMoved = status >= 300 && status < 400 && location !== null
    if (isMoved) return { reason: 'redirected', detail: `${title} to ${formatLocation(location)}` }
    return { reason: 'http_status', detail: [title, extractText(text)].filter(Boolean).join(': ') }
  }
  if (isCut) return { reason: 'answer_too_large' }
  if (text.trim() === '') return null
  const value = parseOrIgnore(text)
  if (value === undefined) return { reason: 'not_json', detail: extractText(text) }
  return value === false || value === null ? { reason: 'no_success', detail: `it answers ${value}` } : null
}

function parseOrIgnore(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The target of a redirection without user, password and parameters. */
function formatLocation(location: string): string {
  const url = URL.parse(location)
  return formatPrintable(url ? `${url.origin}${url.pathname}` : location.replace(/[?#].*$/s, '').replace(/^.*@/s, ''))
}

/** The text of a page as a person would read it, in one line of limited length, without repetitions. */
function extractText(body: string): string {
  const start = body.slice(0, LOOKED_AT)
  const text = /<(?:!doctype|html|head|body|title|h1|p|pre)\b/i.test(start) ? textOf(start) : start
  const lines = text.split('\n').map((line) => formatPrintable(line))
  return formatPrintable([...new Set(lines)].filter(Boolean).join(' '))
}

function textOf(html: string): string {
  return html
    .replace(/<(script|style)\b.*?(?:<\/\1\s*>|$)/gis, '')
    .replace(/<!--.*?(?:-->|$)/gs, '')
    .replace(/<\/?(?:address|body|br|div|h\d|head|hr|html|li|p|pre|table|title|tr|ul)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|apos|nbsp|amp|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
}

const ENTITIES: Record<string, string | undefined> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
  amp: '&',
}
