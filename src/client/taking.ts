import { COMMON, type Rest } from './arguments.ts'
import { chooseTarget, type Target } from './contexts.ts'
import { usage } from './failure.ts'
import type { Session } from './session.ts'

/** Who is asked, for jobs that are no command of the manifest. */
export function targetOf(session: Session): Target {
  return chooseTarget(session.env, session.chosen())
}

/** The options of every command, and these, which take a value. */
export function withCommonFlags(flags: readonly string[]): Map<string, string> {
  const common = Object.entries(COMMON).map(([flag, [takes]]) => [flag, takes] as const)
  return new Map([...common, ...flags.map((flag) => [flag, 'v'] as const)])
}

/** What is said by a flag, or by the next word. */
export function takeWord({ values }: Rest, words: string[], flags: readonly string[], form: string): string {
  for (const flag of flags) {
    const said = values.get(flag)?.at(-1)
    if (said !== undefined) return said
  }
  const word = words.shift()
  if (word === undefined) throw usage(`write it like this: millwright ${form}`)
  return word
}
