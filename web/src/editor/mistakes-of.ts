import type { Mistake } from './mistakes.ts'

/** What the messages of the service say of lines. */
export function mistakesOf(messages: readonly string[]): readonly Mistake[] {
  return messages.flatMap((message) => {
    const line = lineOf(message)
    return line === null ? [] : [{ line, message }]
  })
}

/** The line of the text that a message of the service is about. */
export function lineOf(message: string): number | null {
  const found = /\bline (\d+)/.exec(message)?.[1]
  return found === undefined || /snippet '/.test(message) ? null : Number(found)
}
