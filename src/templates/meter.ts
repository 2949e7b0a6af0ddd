import { exhaust } from './error.ts'

/** How much a rendering may use before it is stopped. */
export interface Budget {
  /** Evaluated nodes, visited elements and, by portions, compared characters. */
  readonly steps: number
  /** Length of the rendered text, in characters. */
  readonly output: number
  /** Blocks, calls, data and expressions inside each other. */
  readonly nesting: number
  /** All text and lists made on the way, in characters; an element of a list counts as eight. */
  readonly size: number
  /** Time in regular expressions, in milliseconds: their steps cannot be counted, only their matches. */
  readonly searching: number
}

/** Enough for the largest templates that sites have, and used up within about a second. */
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

  /** Before work that visits `count` things. */
  step(count = 1): void {
    this.#steps += count
    if (this.#steps > this.#budget.steps) exhaust(`took more than ${this.#budget.steps} steps`)
  }

  /** Before a text of so many characters is made. */
  text(length: number): void {
    this.#size += length
    if (this.#size > this.#budget.size) exhaust(`built more than ${this.#budget.size} characters of text and lists`)
  }

  /** Before a list of so many elements is made. */
  elements(count: number): void {
    this.text(count * ELEMENT)
  }

  /** Before text is added to what was rendered. */
  output(length: number): void {
    this.#output += length
    if (this.#output > this.#budget.output) exhaust(`rendered more than ${this.#budget.output} characters`)
  }

  /** Runs a search of a regular expression. */
  timed<T>(search: () => T): T {
    const start = performance.now()
    const result = search()
    this.#searching += performance.now() - start
    if (this.#searching > this.#budget.searching)
      exhaust(`searched with regular expressions for more than ${this.#budget.searching} ms`)
    return result
  }

  /** Runs work one level further inside. */
  within<T>(work: () => T): T {
    this.enter()
    try {
      return work()
    } finally {
      this.leave()
    }
  }

  /** As `within`, for the busiest callers; a failure ends the rendering, so that leaving may then be left out. */
  enter(): void {
    this.#nesting += 1
    if (this.#nesting > this.#budget.nesting) exhaust(`nested more than ${this.#budget.nesting} levels deep`)
  }

  leave(): void {
    this.#nesting -= 1
  }

  /** How deep the work is, to return to when a loop or block is left early. */
  get depth(): number {
    return this.#nesting
  }

  returnTo(depth: number): void {
    this.#nesting = depth
  }
}
