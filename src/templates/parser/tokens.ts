/** A part of a text with interpolation: plain text, or the tokens between `#{` and `}`. */
export type TokenPart = string | readonly Token[]

/**
 * - `text`: between tags · `open`, `close`: the ends of `<%= %>` · `end`: the end of the template
 * - `line`: a line of code ends, or a tag · `label`: `name:` · `string`, `regexp`, `words`, `symbol`: literals, in `parts`
 * - `name`, `constant`, `instance` (`@x`), `global` (`$1`), `keyword`, `operator`: `text` is what was written
 */
export type TokenType =
  | 'text'
  | 'open'
  | 'close'
  | 'end'
  | 'line'
  | 'label'
  | 'string'
  | 'regexp'
  | 'words'
  | 'symbol'
  | 'number'
  | 'name'
  | 'constant'
  | 'instance'
  | 'global'
  | 'keyword'
  | 'operator'

/** A token, and its position. */
export interface Token {
  readonly type: TokenType
  readonly text: string
  readonly line: number
  /** Whether a blank precedes it, which distinguishes `x -1` from `x - 1`. */
  readonly spaced: boolean
  readonly parts?: readonly TokenPart[]
  readonly value?: bigint | number
}
