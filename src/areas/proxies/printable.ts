// Control characters, direction marks and line separators.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

/** Formats text from other machines for one line of output: without controls, and cut at `limit` characters. */
export function formatPrintable(text: string, limit = 300): string {
  const line = text.toWellFormed().replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim()
  const characters = Array.from(line.slice(0, 2 * limit + 2))
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line
}
