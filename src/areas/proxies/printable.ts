// Controls, marks that change the direction of text, and separators of lines.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

/** Text of strangers as a part of one line: without controls, at most so many characters. */
export function formatPrintable(text: string, limit = 300): string {
  const line = text.toWellFormed().replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim()
  const characters = Array.from(line.slice(0, 2 * limit + 2))
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line
}
