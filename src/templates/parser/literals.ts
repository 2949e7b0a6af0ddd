import type { Token, TokenPart } from './tokens.ts'

/** What reading a literal needs of the lexer. */
export interface Source {
  readonly source: string
  at: number
  line: number
  readonly last: Token | undefined
  push(type: Token['type'], text: string, spaced: boolean, more?: Partial<Token>): void
  interpolation(): Token[]
  refuse(reason: string): never
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
])

/** Reads the text, symbol, word list or regular expression that begins here; false where none does. */
export function readLiteral(lexer: Source, character: string, spaced: boolean, expectsValue: boolean): boolean {
  if (character === '"' || character === "'") {
    readText(lexer, character, spaced)
    return true
  }
  if (character === '`') return lexer.refuse('commands in backquotes are not offered')
  if (character === ':') return readSymbol(lexer, spaced)
  if (character === '/' && expectsValue) {
    lexer.at += 1
    readRegexp(lexer, '/', '/', spaced)
    return true
  }
  return character === '%' && expectsValue && readPercent(lexer, spaced)
}

function readText(lexer: Source, quote: string, spaced: boolean): void {
  const last = lexer.last
  lexer.at += 1
  const parts = readParts(lexer, quote, quote, quote === '"' ? 'escapes' : 'plain')
  const opens = last?.type === 'name' || last?.type === 'line' || ['{', ',', '(', '|'].includes(last?.text ?? '')
  const isLabel = opens && lexer.source[lexer.at] === ':' && lexer.source[lexer.at + 1] !== ':'
  if (isLabel) lexer.at += 1
  lexer.push(isLabel ? 'label' : 'string', isLabel ? parts.map(String).join('') : '', spaced, { parts })
}

function readSymbol(lexer: Source, spaced: boolean): boolean {
  const next = lexer.source[lexer.at + 1] ?? ''
  if (next === '"' || next === "'") {
    lexer.at += 2
    lexer.push('symbol', '', spaced, { parts: readParts(lexer, next, next, next === '"' ? 'escapes' : 'plain') })
    return true
  }
  const name =
    /[\p{L}_][\p{L}\p{N}_]*[?!=]?(?![=~>])|[\p{L}_][\p{L}\p{N}_]*|\[\]=?|\*\*|<=>|===?|=~|<<|>>|[<>]=|[+\-*/%<>!]/uy
  name.lastIndex = lexer.at + 1
  const found = name.exec(lexer.source)?.[0]
  if (found === undefined) return false
  lexer.at += 1 + found.length
  lexer.push('symbol', found, spaced, { parts: [found] })
  return true
}

function readRegexp(lexer: Source, close: string, open: string, spaced: boolean): void {
  const parts = readParts(lexer, close, open, 'regexp')
  let flags = ''
  while (/[a-z]/.test(lexer.source[lexer.at] ?? '')) {
    flags += lexer.source[lexer.at]
    lexer.at += 1
  }
  const unknown = [...flags].find((flag) => !'imx'.includes(flag))
  if (unknown !== undefined) lexer.refuse(`unknown option ${unknown} of a regular expression; i, m and x are known`)
  lexer.push('regexp', flags, spaced, { parts })
}

function readPercent(lexer: Source, spaced: boolean): boolean {
  const found = /%([wWiIqQr]?)([^\p{L}\p{N}\s=])|%([wWiIqQr])(=)/uy
  found.lastIndex = lexer.at
  const match = found.exec(lexer.source)
  if (match === null) return false
  const kind = match[1] ?? match[3] ?? ''
  const open = match[2] ?? match[4] ?? ''
  const close = CLOSING.get(open) ?? open
  lexer.at += match[0].length
  if (kind === 'r') {
    readRegexp(lexer, close, open, spaced)
    return true
  }
  const parts = readParts(
    lexer,
    close,
    open,
    kind === '' || kind === 'Q' || kind === 'W' || kind === 'I' ? 'escapes' : 'plain',
  )
  if (kind === '' || kind === 'q' || kind === 'Q') lexer.push('string', '', spaced, { parts })
  else lexer.push('words', kind.toLowerCase(), spaced, { parts })
  return true
}

type Style = 'plain' | 'escapes' | 'regexp'

/** Reads up to the closing character; pairs of the same brackets may stand inside. */
export function readParts(lexer: Source, close: string, open: string, style: Style): TokenPart[] {
  const parts: TokenPart[] = []
  const firstLine = lexer.line
  let text: string[] = []
  let depth = 0
  for (;;) {
    const character = lexer.source[lexer.at]
    if (character === undefined) {
      lexer.line = firstLine
      lexer.refuse(`${style === 'regexp' ? 'a regular expression' : 'a text'} is not closed: ${close} is missing`)
    }
    lexer.at += 1
    if (character === '\n') lexer.line += 1
    if (character === close && depth === 0) break
    if (character === close) depth -= 1
    else if (character === open && open !== close) depth += 1
    if (character === '\\') text.push(readEscaped(lexer, close, style))
    else if (character === '#' && style !== 'plain' && lexer.source[lexer.at] === '{') {
      lexer.at += 1
      parts.push(text.join(''), lexer.interpolation())
      text = []
    } else text.push(character)
  }
  parts.push(text.join(''))
  return parts
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['s', ' '],
  ['0', '\0'],
  ['e', '\x1b'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\n', ''],
])

/** Reads what a backslash escapes; the backslash itself has been read. */
function readEscaped(lexer: Source, close: string, style: Style): string {
  const character = lexer.source[lexer.at] ?? ''
  lexer.at += 1
  if (character === '\n') lexer.line += 1
  if (style === 'regexp') return character === '/' && close === '/' ? '/' : `\\${character}`
  if (style === 'plain') return character === close || character === '\\' ? character : `\\${character}`
  if (character === 'u' || character === 'x') return readCoded(lexer, character)
  return SIMPLE.get(character) ?? character
}

function readCoded(lexer: Source, kind: string): string {
  const pattern = kind === 'u' ? /\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4})/y : /([0-9a-fA-F]{1,2})/y
  pattern.lastIndex = lexer.at
  const found = pattern.exec(lexer.source)
  const code = Number.parseInt(found?.[1] ?? found?.[2] ?? '', 16)
  if (found === null || code > 0x10ffff) return lexer.refuse(`a number is missing after \\${kind}`)
  lexer.at += found[0].length
  return String.fromCodePoint(code)
}
