import { belowOf, COMMON, findCommand, findGroup, optionsOf, takesRecord } from '../arguments.ts'
import { EXIT } from '../failure.ts'
import { loadManifest, type ManifestOption } from '../manifest.ts'
import { EXAMPLES } from './examples.ts'
import type { Job, Jobs, Session } from './session.ts'
import { listSpecials, specialOf } from './special.ts'

/** Prints help for the program, a resource, or a command. */
export async function help(session: Session, jobs: Jobs, words: readonly string[]): Promise<number> {
  session.use(new Map())
  await session.write(`${helpText(words, jobs).join('\n')}\n`)
  return EXIT.done
}

/** Builds the lines of help for a command, a group of commands, or all. */
export function helpText(words: readonly string[], jobs: Jobs): string[] {
  const [first] = words
  if (first === undefined) return formatOverview(jobs)
  const job = Object.hasOwn(jobs, first) ? jobs[first] : undefined
  if (job) return formatJob(first, job)
  const special = specialOf(words)
  if (special) return [`Usage: millwright ${special.usage}`, '', special.about, ...examplesOf(special.words[0] ?? '')]
  const found = findGroup(words)
  if (found && words.length > found.length && found.group.actions && isAction(words, found.length))
    return formatCommand(words)
  if (found) return formatGroup(found.group.words[0] ?? '')
  const below = belowOf(first)
  if (below.length > 0) return below.flatMap((each) => formatGroup(`${first} ${each}`))
  return formatCommand(words)
}

function formatJob(name: string, { about, takes, options }: Job): string[] {
  const list = (entries: NonNullable<Job['options']>) =>
    formatTable(
      Object.entries(entries).map(([flag, [value, doc]]) => [`--${flag}${value && ` ${value}`}`, doc] as const),
    )
  return [
    ...(takes === undefined ? [] : [`Usage: millwright ${name} ${takes}`, '']),
    `millwright ${name}: ${about}`,
    ...(options === undefined
      ? []
      : ['', 'Options:', ...list(options), '', 'Options of every command:', ...list(COMMON)]),
    ...examplesOf(name),
  ]
}

function isAction(words: readonly string[], length: number): boolean {
  const found = findGroup(words)
  return Object.values(found?.group.actions ?? {}).some((action) => action.words.includes(words[length] ?? ''))
}

function formatOverview(jobs: Jobs): string[] {
  const resources = Object.values(loadManifest().groups).map(
    ({ words, about }) => [words[0] ?? '', shortOf(about)] as const,
  )
  return [
    'Usage: millwright RESOURCE ACTION [NAME] [--option VALUE …]',
    '',
    'Resources (see millwright RESOURCE --help):',
    ...formatTable(resources.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    '',
    'Other commands:',
    ...formatTable(Object.entries(jobs).flatMap(([name, { about }]) => (about ? [[name, about] as const] : []))),
    '',
    `On the machine of a server: millwright server COMMAND, for short ${loadManifest().server.join(', ')}; see millwright server --help.`,
    '',
    'Options of every command:',
    ...formatTable(
      Object.entries(COMMON).map(([flag, [takes, about]]) => [`--${flag}${takes && ` ${takes}`}`, about] as const),
    ),
    '',
    'Exit codes: 0 success, 1 refused, 2 wrong usage, 3 not found, 4 permission missing, 5 conflict, 6 unreachable, 7 a run or task failed.',
  ]
}

function formatGroup(word: string): string[] {
  const found = findGroup(word.split(' '))
  if (!found) return []
  const { group } = found
  const own = Object.values(group.actions).map(({ words, about }) => [words.join(', '), about] as const)
  const more = listSpecials().filter(({ words }) =>
    words.some((each) => group.words.some((title) => each.startsWith(`${title} `))),
  )
  const others = group.words.slice(1)
  return [
    `millwright ${word}: ${group.about}`,
    ...(others.length > 0 ? [`Also called ${others.join(', ')}.`] : []),
    '',
    'Actions:',
    ...formatTable([
      ...own,
      ...more.map(({ words, about }) => [(words[0] ?? '').split(' ').slice(1).join(' '), about] as const),
    ]),
    ...belowOf(word).map((each) => `  ${each} …`),
    ...examplesOf(word),
  ]
}

function formatCommand(words: readonly string[]): string[] {
  const { command } = findCommand(words)
  const { action, group } = command
  const name = takesRecord(action.paths) ? ' NAME' : ''
  const label = group.label ?? 'name'
  const named = name
    ? [['--id ID', 'Id of the record.'] as const, [`--${label} TEXT`, 'Name of the record.'] as const]
    : []
  const options = optionsOf(action).map(
    (option) => [`--${option[0]} ${takes(option)}`.trim(), describe(option)] as const,
  )
  return [
    `Usage: millwright ${command.words}${name} [--option VALUE …]`,
    '',
    `${action.about}.`,
    '',
    'Options:',
    ...formatTable([...named, ...options]),
    '',
    'millwright --help lists the options of every command.',
    ...examplesOf(command.words),
  ]
}

const TAKES: Readonly<Record<ManifestOption[3], string>> = {
  s: 'TEXT',
  i: 'NUMBER',
  n: 'NUMBER',
  b: '[true|false]',
  ls: 'A,B',
  li: 'ID,ID',
  m: 'KEY=VALUE,…',
  j: 'JSON|@FILE',
}

function takes([, , , type, , , , values]: ManifestOption): string {
  return values && values.length < 40 ? values : TAKES[type]
}

function describe([, , , , doc, required, , values]: ManifestOption): string {
  const allowed = values && values.length >= 40 ? ` One of ${values.replaceAll('|', ', ')}.` : ''
  return `${doc}${allowed}${required ? ' Needed.' : ''}`
}

function examplesOf(words: string): string[] {
  const found = EXAMPLES.filter((example) => example.startsWith(`${words} `) || example === words)
  return found.length > 0 ? ['', 'Examples:', ...found.map((example) => `  millwright ${example}`)] : []
}

function shortOf(about: string): string {
  const [sentence = ''] = about.split(/(?<=\.)\s/)
  return sentence.length > 84 ? `${sentence.slice(0, 83)}…` : sentence
}

function formatTable(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(34, Math.max(0, ...rows.map(([name]) => name.length)))
  return rows.map(([name, about]) =>
    name.length > width ? `  ${name}\n  ${' '.repeat(width)}  ${about}` : `  ${name.padEnd(width)}  ${about}`,
  )
}
