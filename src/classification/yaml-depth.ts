import { Lexer, Parser } from 'yaml'

/**
 * Whether lists and maps of a YAML text are nested deeper than some levels, told without calling anything for each level:
 * the library's parser keeps what is open on a stack of its own. Reading goes no further than that depth.
 */
export function isDeeperThan(text: string, levels: number): boolean {
  if (openings(text, levels) <= levels) return false
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > levels + BESIDES) return true
  }
  return false
}

/** The document, a scalar and its key lie on the stack, too. */
const BESIDES = 4

/** How many marks there are that can open a list or map: few texts have so many that they have to be looked at. */
function openings(text: string, most: number): number {
  let count = 0
  for (const _ of text.matchAll(/[[{]|[-?:](?=\s|$)/g)) if (++count > most) break
  return count
}
