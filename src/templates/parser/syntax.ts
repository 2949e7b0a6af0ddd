/** A parameter of a block or an assignment, which may destructure a value. */
export interface Parameter {
  readonly name: string
  /** `*rest` */
  readonly rest: boolean
  readonly fallback: Node | null
  /** `(a, b)` inside: the parameters that one value is destructured into. */
  readonly parts: readonly Parameter[] | null
}

/** The block of a call, in braces or between `do` and `end`. */
export interface BlockNode {
  readonly parameters: readonly Parameter[]
  readonly body: Node
}

/** `when` with its values and its statements. */
export interface WhenNode {
  readonly values: readonly Node[]
  readonly body: Node
}

/** `rescue => e` with its statements. */
export interface RescueNode {
  readonly target: Target | null
  readonly body: Node
}

/** What can stand left of `=`. */
export type Target = Extract<Node, { kind: 'variable' | 'instance' | 'call' | 'several' }>

/** The words that leave a loop, a block or a method. */
export type LeaveWord = 'break' | 'next' | 'return'

/** A call; indexes, operators of values, and plain words without a receiver are calls, too. */
export interface CallNode {
  readonly kind: 'call'
  readonly line: number
  readonly receiver: Node | null
  readonly name: string
  readonly args: readonly Node[]
  readonly block: BlockNode | null
  /** `&:name`, `&variable` */
  readonly blockValue: Node | null
  /** `&.` */
  readonly safe: boolean
  /** Whether it has arguments or parentheses, so that it cannot be a variable. */
  readonly explicit: boolean
}

/** A node of the syntax tree of a template. */
export type Node =
  | { readonly kind: 'literal'; readonly value: null | boolean | bigint | number | string }
  | { readonly kind: 'symbol'; readonly parts: readonly (string | Node)[] }
  | { readonly kind: 'join'; readonly parts: readonly (string | Node)[] }
  | {
      readonly kind: 'regexp'
      readonly parts: readonly (string | Node)[]
      readonly flags: string
      readonly line: number
    }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | {
      readonly kind: 'hash'
      readonly pairs: readonly (readonly [key: Node | null, value: Node])[]
      readonly line: number
    }
  | { readonly kind: 'range'; readonly first: Node | null; readonly last: Node | null; readonly exclusive: boolean }
  | { readonly kind: 'splat'; readonly value: Node }
  | { readonly kind: 'variable'; readonly name: string; readonly line: number }
  | { readonly kind: 'instance'; readonly name: string }
  | { readonly kind: 'global'; readonly name: string; readonly line: number }
  | { readonly kind: 'constant'; readonly name: string; readonly line: number }
  | CallNode
  | { readonly kind: 'not'; readonly value: Node }
  | { readonly kind: 'and' | 'or'; readonly left: Node; readonly right: Node }
  | { readonly kind: 'assign'; readonly target: Target; readonly value: Node; readonly line: number }
  | {
      readonly kind: 'update'
      readonly target: Target
      readonly operator: string
      readonly value: Node
      readonly line: number
    }
  | {
      readonly kind: 'several'
      readonly targets: readonly (Target | { readonly kind: 'splat'; readonly value: Node })[]
    }
  | { readonly kind: 'if'; readonly test: Node; readonly yes: Node; readonly no: Node }
  | {
      readonly kind: 'while'
      readonly test: Node
      readonly until: boolean
      readonly body: Node
      readonly first: boolean
    }
  | { readonly kind: 'for'; readonly target: Target; readonly list: Node; readonly body: Node; readonly line: number }
  | {
      readonly kind: 'case'
      readonly subject: Node | null
      readonly whens: readonly WhenNode[]
      readonly otherwise: Node
    }
  | {
      readonly kind: 'rescue'
      readonly body: Node
      readonly rescues: readonly RescueNode[]
      /** The statements of `else`, which run when nothing failed. */
      readonly otherwise: Node | null
      /** The statements of `ensure`. */
      readonly always: Node | null
    }
  | { readonly kind: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly value: Node }
  | { readonly kind: 'lambda'; readonly block: BlockNode }
  | { readonly kind: 'def'; readonly name: string; readonly block: BlockNode }
  | { readonly kind: 'leave'; readonly how: LeaveWord; readonly value: Node; readonly line: number }
  | { readonly kind: 'defined'; readonly value: Node }
