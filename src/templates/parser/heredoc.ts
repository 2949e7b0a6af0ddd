import type { Source } from './literals.ts'
import type { TokenPart } from './tokens.ts'

/** What reading a heredoc needs of the lexer. */
interface Lines extends Source {
  behind: { readonly at: number; readonly line: number } | null
  partsOf(text: string, line: number): TokenPart[]
}

const OPENING = /<<([~-]?)(?:"([^"\n]+)"|'([^'\n]+)'|([A-Z_][A-Za-z0-9_]*))/y

/**
 * Reads a heredoc `<<~END`: the following lines, up to one that holds only that word. With `~` the common indentation is
 * removed, with `-` the last line may be indented; in single quotes nothing is interpolated. False where none begins here.
 */
export function readHeredoc(lexer: Lines, spaced: boolean): boolean {
  OPENING.lastIndex = lexer.at
  const opening = OPENING.exec(lexer.source)
  if (opening === null) return false
  const [whole, mark = '', escaped, plain, bare] = opening
  const word = escaped ?? plain ?? bare ?? ''
  const newline = lexer.behind === null ? lexer.source.indexOf('\n', lexer.at) : lexer.behind.at - 1
  const firstLine = lexer.behind?.line ?? lexer.line + 1
  const lines: string[] = []
  let at = newline < 0 ? lexer.source.length : newline + 1
  for (;;) {
    if (at >= lexer.source.length) return lexer.refuse(`a text is not closed: a line with ${word} is missing`)
    const end = lexer.source.indexOf('\n', at)
    const line = lexer.source.slice(at, end < 0 ? lexer.source.length : end)
    at = end < 0 ? lexer.source.length : end + 1
    if ((mark === '' ? line : line.trimStart()).trimEnd() === word) break
    lines.push(line)
  }
  lexer.behind = { at, line: firstLine + lines.length + 1 }
  const kept = mark === '~' ? dedentLines(lines) : lines
  const text = kept.map((line) => `${line}\n`).join('')
  lexer.at += whole.length
  lexer.push('string', '', spaced, { parts: plain === undefined ? lexer.partsOf(text, firstLine) : [text] })
  return true
}

/** Removes the common indentation; blank lines do not count. */
function dedentLines(lines: readonly string[]): string[] {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const depth = depths.length === 0 ? 0 : Math.min(...depths)
  return lines.map((line) => (line.trim() === '' ? line.slice(Math.min(depth, line.length)) : line.slice(depth)))
}
