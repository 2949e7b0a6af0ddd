import { type CommandLine, fromArguments } from '../config/arguments.ts'
import { quoted, suggestion } from '../config/given.ts'
import { ConfigError, processSettings, type Settings } from '../config.ts'
import { version } from '../version.ts'
import { help } from './help.ts'
import { settingsJson, settingsText } from './settings.ts'

/**
 * What the first word of the command line asks for; each answers with an exit code. The service is loaded only by those
 * that need it, so that the others answer at once.
 */
const COMMANDS = {
  serve: {
    summary: 'Starts the service. This is what happens without a command.',
    run: async (settings) => (await import('./serve.ts')).serve(settings),
  },
  migrate: {
    summary: 'Brings the database to the newest schema, and ends.',
    run: async (settings) => (await import('./migrate.ts')).migrateDatabase(settings),
  },
  config: {
    summary: 'Prints every configuration key, its value and where that came from; --json for programs.',
    run: showConfig,
  },
  doctor: {
    follows: ['directory', '<name>'],
    summary: 'Tests the connection to a directory step by step, and says what to do.',
    run: async (settings, { words }) => (await import('./doctor.ts')).examineDirectory(settings, words[2] ?? ''),
  },
  keys: {
    follows: ['rotate'],
    summary: 'Makes a new encryption key and encrypts everything anew with it.',
    run: async (settings) => (await import('./keys.ts')).rotateKeys(settings),
  },
  'import-classes': {
    follows: ['<from>'],
    summary: 'Imports config classes from a folder of environments or the URL of a server.',
    run: async (settings, { words }) =>
      (await import('./import-classes.ts')).importClassesFrom(settings, words[1] ?? '', false),
  },
  'compare-classes': {
    follows: ['<from>'],
    summary: 'Prints what such an import would change, and changes nothing.',
    run: async (settings, { words }) =>
      (await import('./import-classes.ts')).importClassesFrom(settings, words[1] ?? '', true),
  },
  enc: {
    follows: ['<certname>'],
    summary: 'Prints what a host gets, for servers of the configuration engine. See the keys enc-*.',
    run: async (settings, { words }) => (await import('./enc.ts')).classifyNode(settings, words[1] ?? ''),
  },
  help: { summary: 'Prints this text.', run: async () => showHelp() },
} satisfies Record<string, CommandOf>

interface CommandOf {
  /** The words that have to follow; `<name>` stands for any. */
  readonly follows?: readonly string[]
  readonly summary: string
  readonly run: (settings: Settings, line: CommandLine) => Promise<number>
}

type Command = keyof typeof COMMANDS

/** Does what the arguments ask for and resolves with the exit code: 0 done, 1 failed, 2 wrong arguments or configuration. */
export async function run(argv: readonly string[]): Promise<number> {
  const line = fromArguments(argv)
  const [command = 'serve'] = line.words
  if (line.switches.has('help') || command === 'help') return showHelp()
  if (line.switches.has('version')) return print(`${version()}\n`)

  const misplaced = misplacedWords(line)
  try {
    const settings = processSettings(argv)
    if (misplaced.length > 0 || !isCommand(command)) return refuse(misplaced)
    return await COMMANDS[command].run(settings, line)
  } catch (error) {
    if (error instanceof ConfigError) return refuse([...misplaced, ...error.problems])
    throw error
  }
}

async function showConfig(settings: Settings, { switches }: CommandLine): Promise<number> {
  for (const warning of settings.warnings) process.stderr.write(`millwright: warning: ${warning}\n`)
  return print(switches.has('json') ? settingsJson(settings) : settingsText(settings))
}

function showHelp(): number {
  const summaries = Object.entries<CommandOf>(COMMANDS).map(([name, { follows = [], summary }]) => ({
    name: [name, ...follows].join(' '),
    summary,
  }))
  return print(help(version(), summaries))
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

function refuse(problems: readonly string[]): number {
  const lines = problems.map((problem) => `  ${problem}\n`).join('')
  process.stderr.write(`millwright: the command line or the configuration is wrong:\n${lines}See millwright help.\n`)
  return 2
}

function isCommand(word: string): word is Command {
  return Object.hasOwn(COMMANDS, word)
}

function misplacedWords({ words, switches }: CommandLine): string[] {
  const [command = 'serve', ...rest] = words
  if (!isCommand(command)) return [unknownCommand(command)]
  const problems = misplacedAfter(command, rest)
  return switches.has('json') && command !== 'config' ? [...problems, '--json belongs to millwright config'] : problems
}

function misplacedAfter(command: Command, rest: readonly string[]): string[] {
  const { follows = [] }: CommandOf = COMMANDS[command]
  if (follows.length === 0) return rest.map((word) => `${quoted(word)} is not expected after ${command}`)
  const fits = rest.length === follows.length && follows.every((word, at) => word.startsWith('<') || word === rest[at])
  return fits ? [] : [`${command} is written like this: millwright ${[command, ...follows].join(' ')}`]
}

function unknownCommand(word: string): string {
  const known = Object.keys(COMMANDS)
  return `${quoted(word)} is not a command${suggestion(word, known) || `: there are ${known.join(', ')}`}`
}
