import { COMMON, findCommand, findGroup, leadingWordsOf, optionsOf, readRest } from './arguments.ts'
import { buildCall, flagsOf } from './call.ts'
import { chooseTarget } from './commands/contexts.ts'
import type { Session } from './commands/session.ts'
import { loadManifest, type ManifestAction } from './manifest.ts'
import { perform } from './perform.ts'

/**
 * Runs a command of the manifest, or one that the manifest implies. `others` are the words to suggest when there is none.
 */
export async function runCommand(
  session: Session,
  argv: readonly string[],
  others: readonly string[] = [],
): Promise<number> {
  const ours = translateOtherLine(argv)
  if (ours) return runCommand(session, ours, others)
  const words = leadingWordsOf(argv)
  const found = findGroup(words)
  const isAction = ({ words: names }: ManifestAction) => names.includes(words[found?.length ?? 0] ?? '')
  if (found && !Object.values(found.group.actions).some(isAction)) {
    const { runImplied } = await import('./implied.ts')
    const done = runImplied(session, argv, words)
    if (done) return done
  }
  const known = [...others.filter((name) => !name.startsWith('_')), ...loadManifest().server, 'server']
  const { command, length } = findCommand(words, known)
  const rest = readRest(argv.slice(length), flagsOf(command, COMMON), command.group.flags)
  const own = new Set(optionsOf(command.action).map(([flag]) => flag))
  session.use(new Map([...rest.values].filter(([flag]) => !own.has(flag))))
  const target = chooseTarget(session.env, session.chosen())
  const call = await buildCall(command, rest, target)
  return perform(session, target, call, command.group.label)
}

/** Translates a command line of another client to ours; null when it is not one. */
function translateOtherLine(argv: readonly string[]): string[] | null {
  const words = leadingWordsOf(argv)
  for (const length of [3, 2]) {
    const line = loadManifest().lines[words.slice(0, length).join(' ')]
    if (!line || words.length < length) continue
    const [command, flags] = line
    const renamed = argv.slice(length).map((word) => {
      const [, flag, value = ''] = /^--([^=]+)(=.*)?$/s.exec(word) ?? []
      return flag && flags[flag] ? `--${flags[flag]}${value}` : word
    })
    return [...command.split(' '), ...renamed]
  }
  return null
}
