import type { Mistake } from './mistakes.ts'

/** Extracts the mistakes with a line from messages of the service. */
export function mistakesOf(messages: readonly string[]): readonly Mistake[] {
  return messages.flatMap((message) => {
    const line = lineOf(message)
    return line === null ? [] : [{ line, message }]
  })
}

/** Yields the line that a message of the service names; null where it names none. */
function lineOf(message: string): number | null {
  const found = /\bline (\d+)/.exec(message)?.[1]
  return found === undefined || /snippet '/.test(message) ? null : Number(found)
}
