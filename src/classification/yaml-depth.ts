import { Lexer, Parser } from 'yaml'

/**
 * Tells whether lists and maps of a YAML text are nested deeper than `levels`, without recursion: the library's parser keeps
 * open nodes on a stack of its own. Parsing stops at that depth.
 */
export function isDeeperThan(text: string, levels: number): boolean {
  if (countOpenings(text, levels) <= levels) return false
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > levels + BESIDES) return true
  }
  return false
}

/** The document, a scalar and its key are on the stack, too. */
const BESIDES = 4

/** Counts, up to `most`, the characters that can open a list or map: few texts have enough to need a closer look. */
function countOpenings(text: string, most: number): number {
  let count = 0
  for (const _ of text.matchAll(/[[{]|[-?:](?=\s|$)/g)) if (++count > most) break
  return count
}
