/** Exit codes of the client. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  missing: 3,
  denied: 4,
  conflict: 5,
  unreachable: 6,
  failed: 7,
} as const

/** An error for people: sentences to print, and the exit code. */
export class Failure extends Error {
  readonly code: number

  constructor(code: number, ...sentences: readonly string[]) {
    super(sentences.join('\n'))
    this.code = code
  }
}

/** Builds the error for a command line that cannot be understood. */
export function usage(...sentences: readonly string[]): Failure {
  return new Failure(EXIT.usage, ...sentences)
}
