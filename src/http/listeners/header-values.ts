import type { FastifyReply } from 'fastify'

/** The most bytes of a value: web servers in front take a few thousand for all headers of an answer. */
const MOST = 1000
/** Stands at the end of a value that was cut. */
const CUT = '...'

/**
 * Sets a header of an answer from a value that is not written in the program: printable ASCII, and at most 1,000 bytes. A
 * link is never cut, because it would lead elsewhere.
 */
export function setHeader(reply: FastifyReply, name: string, value: string): void {
  reply.header(name, name === 'link' ? encodeUnprintable(value) : shorten(value, encodeUnprintable))
}

/** Sets headers of an answer, as `setHeader` does. */
export function setHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) setHeader(reply, name, value)
}

/** Formats names for `setHeader`: percent-encoded, with commas between them, as many whole ones as a header holds. */
export function formatNames(names: readonly string[]): string {
  const more = `, ${CUT}`
  let value = ''
  for (const name of names) {
    const encoded = shorten(name, (text) => encodeURIComponent(text.toWellFormed()))
    if (value !== '' && value.length + encoded.length > MOST - 2 * more.length)
      return value.length + more.length > MOST ? value : value + more
    value = value === '' ? encoded : `${value}, ${encoded}`
  }
  return value
}

/** Encodes text whole, or as many of its characters as a header holds, with dots behind them. */
function shorten(text: string, encode: (text: string) => string): string {
  const whole = text.length > MOST ? null : encode(text)
  if (whole !== null && whole.length <= MOST) return whole
  let value = ''
  for (const char of text) {
    const next = value + encode(char)
    if (next.length > MOST - CUT.length) break
    value = next
  }
  return value + CUT
}

function encodeUnprintable(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (char) => encodeURIComponent(char.toWellFormed()))
}
