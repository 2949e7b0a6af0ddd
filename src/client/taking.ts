import { COMMON, type Rest } from './arguments.ts'
import { chooseTarget, type Target } from './commands/contexts.ts'
import type { Session } from './commands/session.ts'
import { usage } from './failure.ts'

/** Yields the server to ask, for commands that are not in the manifest. */
export function targetOf(session: Session): Target {
  return chooseTarget(session.env, session.chosen())
}

/** Yields the vendor port to ask: that of `--server`, else of a service of this machine. */
export function vendorTargetOf(session: Session): Target {
  const url = session.option('server') ?? 'http://127.0.0.1:3001'
  return chooseTarget(session.env, new Map([...session.chosen(), ['url', url]]))
}

/** Yields the options of every command and these flags, which take a value. */
export function withCommonFlags(flags: readonly string[]): Map<string, string> {
  const common = Object.entries(COMMON).map(([flag, [takes]]) => [flag, takes] as const)
  return new Map([...common, ...flags.map((flag) => [flag, 'v'] as const)])
}

/** Takes the value of a flag, or the next word where the flag is missing. */
export function takeWord({ values }: Rest, words: string[], flags: readonly string[], form: string): string {
  for (const flag of flags) {
    const said = values.get(flag)?.at(-1)
    if (said !== undefined) return said
  }
  const word = words.shift()
  if (word === undefined) throw usage(`usage: millwright ${form}`)
  return word
}
