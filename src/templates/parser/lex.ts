import { TemplateError } from '../error.ts'
import { readHeredoc } from './heredoc.ts'
import { readLiteral, readParts } from './literals.ts'
import type { Segment } from './scan.ts'
import type { Token, TokenPart, TokenType } from './tokens.ts'

/** Splits the code of all tags into one list of tokens, because statements continue across tags. */
export function lex(segments: readonly Segment[]): Token[] {
  const tokens: Token[] = []
  const variables = new Set<string>()
  let line = 1
  for (const segment of segments) {
    line = segment.line
    const mark = (type: TokenType, text = '') => tokens.push({ type, text, line, spaced: true })
    if (segment.kind === 'text') {
      mark('text', segment.text)
      continue
    }
    mark(segment.kind === 'output' ? 'open' : 'line')
    const reader = new Lexer(segment.text, segment.line, variables, 0)
    for (const token of reader.read()) tokens.push(token)
    if (tokens.length > MAX_TOKENS) throw new TemplateError(`a template may have ${MAX_TOKENS} words`, line)
    line = reader.line
    mark(segment.kind === 'output' ? 'close' : 'line')
  }
  tokens.push({ type: 'end', text: '', line, spaced: true })
  return tokens
}

const KEYWORDS = new Set(
  `if elsif else unless end while until for in do then case when and or not true false nil self break next begin return
   defined? rescue ensure return def class module yield redo retry super alias undef`.split(/\s+/),
)
/** Keywords that end a value, so that an operator may follow. */
const VALUE_KEYWORDS = new Set(['end', 'true', 'false', 'nil', 'self'])
const OPERATOR =
  /\*\*=?|<=>|<<=?|<=?|>>=?|>=?|===?|=~|=>?|\.\.\.?|\.|&&=?|&[.=]?|\|\|=?|\|=?|!=|!~|!|::?|\+=?|->|-=?|\*=?|\/=?|%=?|[\^~?,()[\]{}]/y
const MAX_TOKENS = 200_000
const MAX_INTERPOLATION = 30

/** Reads one piece of code; interpolations are pieces of their own. */
class Lexer {
  readonly source: string
  /** Names that are assigned before: `x /2` is a division when x is one of them. */
  readonly variables: Set<string>
  readonly depth: number
  at = 0
  line: number
  /** Where to continue after the end of this line: behind the texts of its heredocs. */
  behind: { readonly at: number; readonly line: number } | null = null
  #tokens: Token[] = []

  constructor(source: string, line: number, variables: Set<string>, depth: number) {
    this.source = source
    this.line = line
    this.variables = variables
    this.depth = depth
    if (depth > MAX_INTERPOLATION) this.refuse('texts are nested too deeply in each other')
  }

  /** Reads all tokens up to the end, or up to the brace that closes an interpolation. */
  read(closing = false): Token[] {
    let braces = 0
    for (;;) {
      const spaced = this.#skipBlanks()
      const character = this.source[this.at]
      if (character === undefined) {
        if (closing) this.refuse('an interpolation is not closed: } is missing')
        return this.#tokens
      }
      if (this.#tokens.length > MAX_TOKENS) this.refuse(`a template may have ${MAX_TOKENS} words`)
      if (closing && character === '}' && braces === 0) {
        this.at += 1
        return this.#tokens
      }
      if (character === '{') braces += 1
      if (character === '}') braces -= 1
      this.#readToken(character, spaced)
    }
  }

  /** Adds a token that began at the current position. */
  push(type: TokenType, text: string, spaced: boolean, more: Partial<Token> = {}): void {
    this.#tokens.push({ type, text, line: this.line, spaced, ...more })
  }

  /** Reads the tokens of the interpolation at the current position, and moves behind it. */
  interpolation(): Token[] {
    const inner = new Lexer(this.source, this.line, this.variables, this.depth + 1)
    inner.at = this.at
    const tokens = inner.read(true)
    this.at = inner.at
    this.line = inner.line
    return [...tokens, { type: 'end', text: '', line: this.line, spaced: true }]
  }

  /** Reads the parts of a separate text, with interpolations. */
  partsOf(text: string, line: number): TokenPart[] {
    return readParts(new Lexer(`${text}\0`, line, this.variables, this.depth + 1), '\0', '\0', 'escapes')
  }

  get last(): Token | undefined {
    return this.#tokens.at(-1)
  }

  refuse(reason: string): never {
    throw new TemplateError(reason, this.line)
  }

  #readToken(character: string, spaced: boolean): void {
    if (character === '\n' || character === ';') {
      this.#readLineEnd(spaced)
      return
    }
    if (/[0-9]/.test(character)) this.#readNumber(spaced)
    else if (/[\p{L}_]/u.test(character)) this.#readName(spaced)
    else if (character === '@' || character === '$') this.#readSigil(character, spaced)
    else if (
      !readLiteral(this, character, spaced, this.#expectsValue(spaced)) &&
      !this.#readsHeredoc(character, spaced)
    )
      this.#readOperator(spaced)
  }

  #readsHeredoc(character: string, spaced: boolean): boolean {
    return character === '<' && this.#expectsValue(spaced) && readHeredoc(this, spaced)
  }

  /** Adds one token for consecutive line ends, and none where the next line continues with `.method`. */
  #readLineEnd(spaced: boolean): void {
    let isForced = false
    const line = this.line
    for (let next = this.source[this.at]; next === '\n' || next === ';'; next = this.source[this.at]) {
      if (next === ';') isForced = true
      if (next === '\n' && this.behind !== null) this.#goBehind(this.behind)
      else {
        if (next === '\n') this.line += 1
        this.at += 1
      }
      this.#skipBlanks()
    }
    const rest = this.source.slice(this.at, this.at + 2)
    const goesOn = rest === '&.' || (rest.startsWith('.') && rest !== '..')
    if (isForced || !goesOn) this.#tokens.push({ type: 'line', text: '', line, spaced })
  }

  #goBehind(place: { readonly at: number; readonly line: number }): void {
    this.at = place.at
    this.line = place.line
    this.behind = null
  }

  #skipBlanks(): boolean {
    const start = this.at
    for (;;) {
      const character = this.source[this.at]
      if (character === '#') {
        const end = this.source.indexOf('\n', this.at)
        this.at = end < 0 ? this.source.length : end
      } else if (this.#isRemark()) this.#skipRemark()
      else if (character === '\\' && this.source[this.at + 1] === '\n') {
        this.at += 2
        this.line += 1
      } else if (character === ' ' || character === '\t' || character === '\r') this.at += 1
      else return this.at > start || start === 0
    }
  }

  /** Whether lines of remarks begin here: `=begin` at the beginning of a line. */
  #isRemark(): boolean {
    return this.source.startsWith('=begin', this.at) && (this.at === 0 || this.source[this.at - 1] === '\n')
  }

  #skipRemark(): void {
    const end = this.source.indexOf('\n=end', this.at)
    const behind = end < 0 ? this.source.length : this.source.indexOf('\n', end + 1)
    const to = behind < 0 ? this.source.length : behind
    this.line += this.source.slice(this.at, to).split('\n').length - 1
    this.at = to
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)?.[0] ?? null
    if (found !== null) this.at += found.length
    return found
  }

  #readNumber(spaced: boolean): void {
    const text =
      this.#take(
        /0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+(?![0-9.eE])|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?/y,
      ) ?? ''
    const digits = text.replaceAll('_', '')
    if (digits.length > 4000) this.refuse('a number may have 4000 digits')
    const isFloat = !/^0[xXbB]/.test(digits) && /[.eE]/.test(digits)
    const octal = /^0[oO]?([0-7]+)$/.exec(digits)?.[1]
    const value = isFloat ? Number(digits) : BigInt(octal === undefined ? digits : `0o${octal}`)
    this.push('number', text, spaced, { value })
  }

  #readName(spaced: boolean): void {
    const name = this.#take(/[\p{L}\p{N}_]+(?:[?!](?![=~])|[?!](?===|=~|=>))?/uy) ?? ''
    const afterDot = this.last?.type === 'operator' && (this.last.text === '.' || this.last.text === '&.')
    const isTernary = this.last?.type === 'operator' && this.last.text === '?'
    if (this.source[this.at] === ':' && this.source[this.at + 1] !== ':' && !afterDot && !isTernary) {
      this.at += 1
      this.push('label', name, spaced)
      return
    }
    if (!afterDot && (KEYWORDS.has(name) || /^\p{Lu}/u.test(name))) {
      this.push(KEYWORDS.has(name) ? 'keyword' : 'constant', name, spaced)
      return
    }
    if (/\s*(?:=(?![=~>])|[,|])/y.test(this.source.slice(this.at, this.at + 20))) this.variables.add(name)
    this.push('name', name, spaced)
  }

  #readSigil(sigil: string, spaced: boolean): void {
    this.at += 1
    const name = this.#take(sigil === '@' ? /@?[\p{L}_][\p{L}\p{N}_]*/uy : /[0-9]+|~|[\p{L}_][\p{L}\p{N}_]*/uy)
    if (name === null) this.refuse(`a name is missing after ${sigil}`)
    this.push(sigil === '@' ? 'instance' : 'global', sigil + name, spaced)
  }

  #readOperator(spaced: boolean): void {
    const operator = this.#take(OPERATOR)
    if (operator === null) {
      const found = JSON.stringify(String.fromCodePoint(this.source.codePointAt(this.at) ?? 0))
      this.refuse(`unexpected character ${found}`)
    }
    this.push('operator', operator, spaced)
  }

  /** Tells whether `/`, `%` and the like begin a literal here. */
  #expectsValue(spaced: boolean): boolean {
    const last = this.last
    if (last === undefined) return true
    if (last.type === 'operator') return ![')', ']', '}'].includes(last.text)
    if (last.type === 'keyword') return !VALUE_KEYWORDS.has(last.text)
    if (last.type === 'line' || last.type === 'label') return true
    if (last.type !== 'name' || this.variables.has(last.text)) return false
    return spaced && !/[\s=]/.test(this.source[this.at + 1] ?? ' ')
  }
}
