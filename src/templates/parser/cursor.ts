import { TemplateError } from '../error.ts'
import type { BlockNode, Node, Parameter } from './syntax.ts'
import type { Token, TokenPart, TokenType } from './tokens.ts'

/** Grammar rules that depend on each other; parse.ts puts them together. */
export interface Grammar {
  /** Parses a statement, with `and`, `not`, modifiers and assignments. */
  statement(cursor: Cursor): Node
  /** Parses an expression, without those. */
  expression(cursor: Cursor): Node
  /** Parses statements up to one of these keywords or operators, which is not consumed. */
  body(cursor: Cursor, ends: readonly string[]): Node
  /** Parses the braces or `do` that follow a call, if there are any; for `->` with the parameters before them. */
  block(cursor: Cursor, lambda?: '(' | '->' | null): BlockNode | null
  /** Parses the parameters of a method, in parentheses or bare. */
  parameters(cursor: Cursor): readonly Parameter[]
}

const MAX_DEPTH = 150

/** The variables that can be read at a place: those of the block and of the blocks around it. */
class Names {
  readonly #names = new Set<string>()
  readonly #outer: Names | null

  constructor(outer: Names | null) {
    this.#outer = outer
  }

  add(name: string): void {
    this.#names.add(name)
  }

  has(name: string): boolean {
    return this.#names.has(name) || (this.#outer?.has(name) ?? false)
  }
}

/** The position in the tokens, and the state of the parser. */
export class Cursor {
  readonly grammar: Grammar
  readonly #tokens: readonly Token[]
  #at = 0
  #depth: number
  /** False between `while` and its `do`, where `do` begins no block. */
  takesDo = true
  /** Whether `a = 1, 2` makes a list here; in arguments the comma ends the value. */
  takesLists = true
  /** The number of ends of `<%= … do %>` that were passed on the way into a block. */
  closed = 0
  /** What began the block whose `end` is expected, for the error when it is missing. */
  opening = { text: '', line: 0 }
  /** Names that are variables here, so that `x -1` and `x [1]` are not calls. */
  variables: Names
  /** The names of snippets that occur in the template as plain texts. */
  readonly snippets: Set<string>
  /** Whether `return` has a method to leave. */
  isInMethod = false
  /** The methods that the template defines. */
  readonly methods: Set<string>
  /** The functions that are called, with the line of the first call. */
  readonly calls: Map<string, number>

  constructor(tokens: readonly Token[], grammar: Grammar, outer: Cursor | null = null) {
    this.#tokens = tokens
    this.grammar = grammar
    this.#depth = outer === null ? 0 : outer.#depth
    this.variables = outer === null ? new Names(null) : outer.variables
    this.snippets = outer === null ? new Set() : outer.snippets
    this.methods = outer === null ? new Set() : outer.methods
    this.isInMethod = outer?.isInMethod ?? false
    this.calls = outer === null ? new Map() : outer.calls
  }

  get token(): Token {
    return this.peek(0)
  }

  get line(): number {
    return this.token.line
  }

  peek(distance = 1): Token {
    const token = this.#tokens[Math.min(this.#at + distance, this.#tokens.length - 1)]
    return token ?? { type: 'end', text: '', line: 1, spaced: true }
  }

  next(): Token {
    const token = this.token
    this.#at += 1
    return token
  }

  is(type: TokenType, text?: string): boolean {
    return this.token.type === type && (text === undefined || this.token.text === text)
  }

  isOperator(...texts: string[]): boolean {
    return this.token.type === 'operator' && texts.includes(this.token.text)
  }

  isKeyword(...texts: string[]): boolean {
    return this.token.type === 'keyword' && texts.includes(this.token.text)
  }

  /** Consumes the operator or keyword if it is next. */
  accept(text: string): boolean {
    if (!this.isOperator(text) && !this.isKeyword(text)) return false
    this.#at += 1
    return true
  }

  expect(text: string): void {
    if (this.accept(text)) return
    if (text === 'end' && this.is('end'))
      throw new TemplateError(`this ${this.opening.text} has no end`, this.opening.line)
    this.refuse(`expected ${text}`)
  }

  skipLines(): void {
    while (this.token.type === 'line') this.#at += 1
  }

  /** Tells whether nothing but text between tags follows. */
  endsTag(): boolean {
    let distance = 0
    while (this.peek(distance).type === 'line') distance += 1
    return distance > 0 && this.peek(distance).type === 'text'
  }

  /** Skips separators, also past the end of `<%= … do %>`, which the block goes beyond. */
  skipSeparators(): void {
    for (; this.token.type === 'line' || this.token.type === 'close'; this.#at += 1)
      if (this.token.type === 'close') this.closed += 1
  }

  /** Runs a rule one level deeper; `takesDo` is true again inside brackets. */
  within<T>(rule: () => T, takesDo = this.takesDo): T {
    if (this.#depth >= MAX_DEPTH) this.refuse(`nested more than ${MAX_DEPTH} levels deep`, false)
    const before = this.takesDo
    this.#depth += 1
    this.takesDo = takesDo
    const result = rule()
    this.takesDo = before
    this.#depth -= 1
    return result
  }

  /** Runs a rule that `end` closes, and remembers what began it. */
  opened<T>(opening: { text: string; line: number }, rule: () => T): T {
    const before = this.opening
    this.opening = opening
    const result = rule()
    this.opening = before
    return result
  }

  /** Runs the rule of a block: variables that first appear in it end with it. */
  inBlock<T>(rule: () => T): T {
    const before = this.variables
    this.variables = new Names(before)
    const result = this.within(rule, true)
    this.variables = before
    return result
  }

  /** Parses a method, in which only its own variables can be read. */
  inMethod<T>(rule: () => T): T {
    const before = { variables: this.variables, isInMethod: this.isInMethod }
    Object.assign(this, { variables: new Names(null), isInMethod: true })
    const result = this.within(rule, true)
    Object.assign(this, before)
    return result
  }

  /** Parses the expressions within a text. */
  parts(parts: readonly TokenPart[]): (string | Node)[] {
    return parts.map((part) => (typeof part === 'string' ? part : this.#interpolation(part)))
  }

  refuse(reason: string, found = true): never {
    throw new TemplateError(found ? `${reason}, found ${this.#shown()}` : reason, this.line)
  }

  #interpolation(tokens: readonly Token[]): Node {
    const inner = new Cursor(tokens, this.grammar, this)
    return inner.within(() => {
      const node = this.grammar.body(inner, [])
      if (!inner.is('end')) inner.refuse('expected }')
      return node
    })
  }

  #shown(): string {
    const { type, text } = this.token
    if (type === 'end') return 'the end of the template'
    if (type === 'text') return 'text between tags'
    if (type === 'line' || type === 'close') return 'the end of the line or tag'
    if (type === 'open') return '<%='
    return text === '' ? `a ${type}` : text
  }
}
