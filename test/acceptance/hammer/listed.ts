import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NOT_SERVED } from './reasons.ts'
import { readAll, readTranscript, wordsOf } from './transcript.ts'

/** Commands by name, each with its options. */
export type Commands = Readonly<Record<string, readonly string[]>>

/** Yields the path of the list of commands that a version has with a server of the known kind. */
export function listPath(version: string): string {
  return join(import.meta.dirname, 'listed', `${version}.txt`)
}

/**
 * Formats such a list: a command on each line, followed by its options. Of the options that identify a record only one is
 * listed.
 */
export function formatCommands(commands: Commands): string {
  const lines = Object.entries(commands)
    .filter(([name]) => !NOT_SERVED.some(([about]) => about.test(name)))
    .map(([name, options]) => [name, ...options.filter((option) => !isOtherName(option, options))].join(' '))
  return `${lines.sort().join('\n')}\n`
}

/** Lists the commands and options that a version lacks with this service. */
export function listLacking(version: string, commands: Commands): string[] {
  return readFileSync(listPath(version), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [name = '', options = ''] = line.split(/ (?=--)(.*)/)
      const own = commands[name]
      if (!own) return [name]
      return options
        .split(' ')
        .filter((option) => option !== '' && !own.includes(option))
        .map((option) => `${name} ${option}`)
    })
}

/** Lists the commands that both versions have with the same options: what they send is the same. */
export function listAlike(one: string, other: string): ReadonlySet<string> {
  const linesOf = (version: string) => readFileSync(listPath(version), 'utf8').trim().split('\n')
  const others = new Set(linesOf(other))
  return new Set(linesOf(one).flatMap((line) => (others.has(line) ? [line.split(' --')[0] ?? ''] : [])))
}

/** Lists the commands that a version has and no transcript runs. */
export function listNotRun(commands: Commands): string[] {
  const steps = [...readAll(), ...readTranscript('sessions')].flatMap((group) => group.steps)
  const run = new Set(steps.flatMap(({ command }) => nameOf(command, commands) ?? []))
  return Object.keys(commands).filter((name) => !run.has(name) && !NOT_SERVED.some(([about]) => about.test(name)))
}

/** Yields the name of a command; global options may stand before it. */
export function nameOf(command: string, commands: Commands): string | null {
  const words = wordsOf(command)
  for (let start = 0; start < words.length; start += 1) {
    for (const count of [4, 3, 2, 1]) {
      const name = words.slice(start, start + count).join(' ')
      if (commands[name]) return name
    }
  }
  return null
}

function isOtherName(option: string, options: readonly string[]): boolean {
  return ['id', 'ids', 'title', 'titles', 'label'].some((end) => {
    const stem = option.endsWith(`-${end}`) ? option.slice(0, -end.length - 1) : null
    return stem !== null && (options.includes(stem) || options.includes(`${stem}s`))
  })
}
