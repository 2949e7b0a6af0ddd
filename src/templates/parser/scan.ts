/** A segment of a template, with the line it begins on, counted from 1. */
export interface Segment {
  readonly kind: 'text' | 'code' | 'output'
  readonly text: string
  readonly line: number
}

/** Tells whether a text contains a tag; a text without one renders to itself. */
export function isTemplate(text: string): boolean {
  return text.includes('<%')
}

/**
 * Splits a template at its tags, like ERB with `-`: `<%-` drops the blanks before it on its line, `-%>` the line end after
 * it, `<%%` and `%%>` stand for themselves, `<%# %>` is a comment. A tag that is never closed is text without its opening
 * (smart-parameters-notes C5). Takes linear time.
 */
export function scan(source: string): Segment[] {
  const segments: Segment[] = []
  let text = ''
  let textLine = 1
  let line = 1
  let at = 0

  const flush = () => {
    if (text !== '') segments.push({ kind: 'text', text, line: textLine })
    text = ''
  }
  while (at < source.length) {
    const open = source.indexOf('<%', at)
    const before = source.slice(at, open < 0 ? source.length : open)
    if (text === '') textLine = line
    line += countNewlines(before)
    if (open < 0) {
      text += before
      break
    }
    const mark = source[open + 2] ?? ''
    if (mark === '%') {
      text += `${before}<%`
      at = open + 3
      continue
    }
    text += mark === '-' ? withoutIndentation(before) : before
    const start = open + (mark === '=' || mark === '#' || mark === '-' ? 3 : 2)
    const tag = readTag(source, start)
    if (!tag.closed) {
      text += tag.content
      break
    }
    flush()
    if (mark !== '#') segments.push({ kind: mark === '=' ? 'output' : 'code', text: tag.content, line })
    line += countNewlines(source.slice(start, tag.end))
    at = tag.end
  }
  flush()
  return segments
}

interface Tag {
  readonly content: string
  /** The position of the text behind the tag. */
  readonly end: number
  readonly closed: boolean
}

function readTag(source: string, start: number): Tag {
  let content = ''
  let at = start
  for (;;) {
    const close = source.indexOf('%>', at)
    if (close < 0) return { content: content + source.slice(at), end: source.length, closed: false }
    if (source[close - 1] === '%' && close > at) {
      content += `${source.slice(at, close - 1)}%>`
      at = close + 2
      continue
    }
    const trims = source[close - 1] === '-' && close > at
    content += source.slice(at, trims ? close - 1 : close)
    return { content, end: trims ? skipNewline(source, close + 2) : close + 2, closed: true }
  }
}

function skipNewline(source: string, at: number): number {
  if (source[at] === '\n') return at + 1
  return source[at] === '\r' && source[at + 1] === '\n' ? at + 2 : at
}

/** Removes blanks at the end, where only blanks stand since the line or the last tag. */
function withoutIndentation(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1
  return end === 0 || text[end - 1] === '\n' ? text.slice(0, end) : text
}

function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
