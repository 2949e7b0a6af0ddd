import { exhaust } from './error.ts'

/** The limits of a rendering. */
export interface Budget {
  /** The number of evaluated nodes and visited elements, and of compared characters in portions. */
  readonly steps: number
  /** The length of the rendered text in characters. */
  readonly output: number
  /** The depth of nested blocks, calls, data and expressions. */
  readonly nesting: number
  /** The size of all texts and lists that are made, in characters; an element of a list counts as eight. */
  readonly size: number
  /** Time in regular expressions, in milliseconds: their steps cannot be counted, only their matches. */
  readonly searching: number
}

/** Enough for the largest templates of existing sites, and exhausted within about a second. */
export const DEFAULT_BUDGET: Budget = {
  steps: 500_000,
  output: 4_000_000,
  nesting: 500,
  size: 32_000_000,
  searching: 2_000,
}

const ELEMENT = 8

/** Counts what one rendering uses, its snippets included, and stops it at its budget. */
export class Meter {
  readonly #budget: Budget
  #steps = 0
  #output = 0
  #nesting = 0
  #size = 0
  #searching = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Call before work that visits `count` things. */
  step(count = 1): void {
    this.#steps += count
    if (this.#steps > this.#budget.steps) exhaust(`took more than ${this.#budget.steps} steps`)
  }

  /** Call before a text of this many characters is made. */
  text(length: number): void {
    this.#size += length
    if (this.#size > this.#budget.size) exhaust(`built more than ${this.#budget.size} characters of text and lists`)
  }

  /** Call before a list of this many elements is made. */
  elements(count: number): void {
    this.text(count * ELEMENT)
  }

  /** Call before text is added to the output. */
  output(length: number): void {
    this.#output += length
    if (this.#output > this.#budget.output) exhaust(`rendered more than ${this.#budget.output} characters`)
  }

  /** Runs a search of a regular expression and counts its time. */
  timed<T>(search: () => T): T {
    const start = performance.now()
    const result = search()
    this.#searching += performance.now() - start
    if (this.#searching > this.#budget.searching)
      exhaust(`searched with regular expressions for more than ${this.#budget.searching} ms`)
    return result
  }

  /** Runs work one level deeper. */
  within<T>(work: () => T): T {
    this.enter()
    try {
      return work()
    } finally {
      this.leave()
    }
  }

  /**
   * Goes one level deeper like `within`, for hot code. A failure ends the rendering, so that `leave` may be skipped then.
   */
  enter(): void {
    this.#nesting += 1
    if (this.#nesting > this.#budget.nesting) exhaust(`nested more than ${this.#budget.nesting} levels deep`)
  }

  leave(): void {
    this.#nesting -= 1
  }

  /** Forgets this part of the budget (at most all of it) as used, for work that goes on in portions. */
  renew(part: number): void {
    const { steps, output, size, searching } = this.#budget
    this.#steps = Math.max(0, this.#steps - part * steps)
    this.#output = Math.max(0, this.#output - part * output)
    this.#size = Math.max(0, this.#size - part * size)
    this.#searching = Math.max(0, this.#searching - part * searching)
  }

  /** The present depth, to return to when a loop or block is left early. */
  get depth(): number {
    return this.#nesting
  }

  returnTo(depth: number): void {
    this.#nesting = depth
  }
}
