import { STATUS_CODES } from 'node:http'
import { formatPrintable, type ProxyAnswer, type Trouble } from '../../proxies/index.ts'

/** How much of an answer is looked at for a message. */
const LOOKED_AT = 8_192

/** Why an answer is not the success of a run; null when it is: 2xx, and empty or JSON other than false and null. */
export function problemOfAnswer({ status, phrase, location, body, isCut }: ProxyAnswer): Trouble | null {
  const text = body.toString()
  if (status < 200 || status > 299) {
    const title = `${status} ${formatPrintable(phrase, 60) || (STATUS_CODES[status] ?? '')}`.trim()
    const isMoved = status >= 300 && status < 400 && location !== null
    if (isMoved) return { reason: 'redirected', detail: `${title} to ${shownLocation(location)}` }
    return { reason: 'http_status', detail: [title, firstLines(text)].filter(Boolean).join(': ') }
  }
  if (isCut) return { reason: 'answer_too_large' }
  if (text.trim() === '') return null
  const value = parsed(text)
  if (value === undefined) return { reason: 'not_json', detail: firstLines(text) }
  return value === false || value === null ? { reason: 'no_success', detail: `it answers ${value}` } : null
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Where a redirection leads, without user, password and parameters. */
function shownLocation(location: string): string {
  const url = URL.parse(location)
  return formatPrintable(url ? `${url.origin}${url.pathname}` : location.replace(/[?#].*$/s, '').replace(/^.*@/s, ''))
}

/** What a person would read first: of a page its text, each line once, in one line of bounded length. */
function firstLines(body: string): string {
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
