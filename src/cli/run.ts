import { type CommandLine, fromArguments, type Option, type Switch } from '../config/arguments.ts'
import {
  ConfigError,
  describeConfig,
  readProcessSettings,
  type SettingDescription,
  type Settings,
} from '../config/config.ts'
import { quoteValue, suggestKnown } from '../config/configured-value.ts'
import { readVersion } from '../version.ts'
import { formatCommandHelp, help } from './help.ts'
import { wrapText } from './wrapped.ts'

/**
 * The commands by the first word of the command line; each resolves with an exit code. Only commands that need the service
 * load its code, so that the others answer quickly.
 */
const COMMANDS = {
  serve: {
    summary: 'Starts the service (the default command).',
    run: async (settings) => (await import('./serve.ts')).serve(settings),
  },
  migrate: {
    summary: 'Migrates the database to the newest schema and exits.',
    run: async (settings) => (await import('./migrate.ts')).migrateDatabase(settings),
  },
  config: {
    summary: 'Prints each configuration option with its value and source; --json for programs.',
    switches: ['json'],
    run: showConfig,
  },
  doctor: {
    follows: ['directory', '<name>'],
    or: [[]],
    summary: 'Tests a directory; `doctor` alone checks database, disk, clock, certificates, queues.',
    run: async (settings, { words }) =>
      words.length > 1
        ? (await import('./doctor.ts')).examineDirectory(settings, words[2] ?? '')
        : (await import('./examination.ts')).examineService(settings),
  },
  support: {
    follows: ['<file>'],
    summary: 'Writes a support file: configuration, findings, sizes; no secrets.',
    run: async (settings, { words }) => (await import('./support.ts')).collectSupport(settings, words[1] ?? ''),
  },
  keys: {
    follows: ['rotate'],
    or: [['give-up', '<key>']],
    summary: 'Creates a new key and re-encrypts all secrets; `give-up` drops the secrets of a lost key.',
    run: async (settings, { words }) =>
      words[1] === 'rotate'
        ? (await import('./keys.ts')).rotateKeys(settings)
        : (await import('./lost-key.ts')).giveUpKey(settings, words[2] ?? ''),
  },
  'reset-password': {
    follows: ['<login>'],
    summary: 'Sets a new password for a user and prints it; --stdin reads it from standard input.',
    switches: ['stdin'],
    run: async (settings, { words, switches }) =>
      (await import('./accounts.ts')).recoverAccount(settings, 'reset-password', words[1] ?? '', switches.has('stdin')),
  },
  'reset-second-factor': {
    follows: ['<login>'],
    summary: 'Removes the second factors of a user who has lost them.',
    run: async (settings, { words }) => (await import('./accounts.ts')).resetFactor(settings, words[1] ?? ''),
  },
  users: {
    follows: ['create-admin', '<login>'],
    summary: 'Creates an administrator, with a password as above.',
    switches: ['stdin'],
    run: async (settings, { words, switches }) =>
      (await import('./accounts.ts')).recoverAccount(settings, 'create-admin', words[2] ?? '', switches.has('stdin')),
  },
  backup: {
    follows: ['<file>'],
    or: [['verify', '<file>']],
    summary: 'Writes a backup; `backup verify <file>` restores one to a temporary folder and compares.',
    switches: ['without-keys'],
    run: async (settings, { words, switches }) =>
      words.length > 2
        ? (await import('./backup.ts')).verifyBackup(settings, words[2] ?? '')
        : (await import('./backup.ts')).writeBackupInto(settings, words[1] ?? '', switches.has('without-keys')),
  },
  restore: {
    follows: ['<file>'],
    summary: 'Restores a backup into an empty database, in a data directory or on a server.',
    run: async (settings, { words }) => (await import('./backup.ts')).restoreFrom(settings, words[1] ?? ''),
  },
  move: {
    summary: 'Copies the database of a stopped service into the PostgreSQL database --to.',
    run: async (settings) => (await import('./backup.ts')).moveTo(settings),
  },
  'upgrade-database': {
    follows: ['<folder>'],
    or: [[]],
    summary: 'Carries the data directory over from the PostgreSQL of an earlier version or a folder.',
    run: async (settings, { words }) => (await import('./backup.ts')).upgradeDatabase(settings, words[1] ?? null),
  },
  import: {
    follows: ['server', '<url>'],
    or: [
      ['undo'],
      ['missing'],
      ['secrets', '<dump>'],
      ['authority', '<file>'],
      ['pe-classifier', '<file>'],
      ['hiera', '<folder>'],
    ],
    summary: 'Takes records of a server; also `undo`, `missing`, `secrets`, `authority`, `hiera` …',
    switches: ['plan', 'json', 'keep-ids'],
    options: [
      'user',
      'password-file',
      'token-file',
      'ca-file',
      'connections',
      'timeout',
      'secrets-file',
      'key',
      'environment',
    ],
    run: async (settings, line) =>
      line.words[1] === 'secrets'
        ? (await import('./import-secrets.ts')).importSecrets(settings, line)
        : (await import('./import.ts')).importRecords(settings, line),
  },
  sample: {
    follows: ['remove'],
    or: [[]],
    summary: 'Loads sample data: a company with 300 hosts; `sample remove` removes them.',
    switches: ['json'],
    run: async (settings, line) => (await import('./import.ts')).importRecords(settings, line),
  },
  'import-classes': {
    follows: ['<from>'],
    summary: 'Imports config classes from a folder of environments or the URL of a server.',
    run: async (settings, { words }) =>
      (await import('./import-classes.ts')).importClassesFrom(settings, words[1] ?? '', false),
  },
  'compare-classes': {
    follows: ['<from>'],
    summary: 'Prints the changes of such an import without making them.',
    run: async (settings, { words }) =>
      (await import('./import-classes.ts')).importClassesFrom(settings, words[1] ?? '', true),
  },
  enc: {
    follows: ['<certname>'],
    summary: 'Prints the classification of a host for configuration servers. See the options enc-*.',
    run: async (settings, { words }) => (await import('./enc.ts')).classifyNode(settings, words[1] ?? ''),
  },
  psql: {
    summary: 'Opens psql on the database in the data directory; the service may run.',
    run: async (settings) => (await import('./psql.ts')).openPsql(settings),
  },
  help: { summary: 'Prints this text.', run: async (_settings, line) => showHelp(line) },
} satisfies Record<string, CommandOf>

interface CommandOf {
  /** The words that have to follow; `<name>` stands for any word. */
  readonly follows?: readonly string[]
  /** Other words that may follow instead. */
  readonly or?: readonly (readonly string[])[]
  readonly summary: string
  /** The switches of this command, besides the flags of the configuration. */
  readonly switches?: readonly Switch[]
  /** Its flags with a value, besides the flags of the configuration. */
  readonly options?: readonly Option[]
  readonly run: (settings: Settings, line: CommandLine) => Promise<number>
}

type Command = keyof typeof COMMANDS

/** The words that belong to the server program, which the command line client leaves to it. */
export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS).filter((name) => name !== 'help')

/**
 * Runs the command that the arguments name and resolves with the exit code: 0 done, 1 failed, 2 wrong arguments or
 * configuration.
 */
export async function run(argv: readonly string[]): Promise<number> {
  const line = fromArguments(argv)
  const [command = 'serve'] = line.words
  if (line.switches.has('help') || command === 'help') return showHelp(line)
  if (line.switches.has('version')) return print(`${readVersion()}\n`)

  const misplaced = listMisplacedWords(line)
  try {
    const settings = readProcessSettings(argv)
    if (misplaced.length > 0 || !isCommand(command)) return refuse(misplaced)
    return await COMMANDS[command].run(settings, line)
  } catch (error) {
    if (error instanceof ConfigError) return refuse([...misplaced, ...error.problems])
    throw error
  }
}

async function showConfig(settings: Settings, { switches }: CommandLine): Promise<number> {
  for (const warning of settings.warnings) process.stderr.write(`millwright: warning: ${warning}\n`)
  return print(switches.has('json') ? formatSettingsJson(settings) : formatSettings(settings))
}

/** Prints the help of the command that stands beside `--help`, otherwise that of all commands. */
function showHelp({ words: [command = 'help'], switches }: CommandLine): number {
  if (switches.has('help') && command !== 'help' && isCommand(command))
    return print(formatCommandHelp(usageOf(command)))
  const summaries = Object.entries<CommandOf>(COMMANDS).map(([name, { follows = [], or = [], summary }]) => {
    const after = or.some((words) => words.length === 0) ? [`[${follows.join(' ')}]`] : follows
    return { name: [name, ...after].join(' '), summary }
  })
  return print(help(readVersion(), summaries))
}

function usageOf(command: Command) {
  const { follows = [], or = [], summary, switches = [], options = [] }: CommandOf = COMMANDS[command]
  const flags = [...switches.map((one) => `[--${one}]`), ...options.map((one) => `[--${one} VALUE]`)]
  const lines = [follows, ...or].map((words) => ['millwright', command, ...words, ...flags].join(' '))
  return { lines, summary }
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

function listMisplacedWords({ words, switches, options }: CommandLine): string[] {
  const [command = 'serve', ...rest] = words
  if (!isCommand(command)) return [describeUnknownCommand(command)]
  const flags = [...switches, ...options.keys()]
  return [...listMisplacedAfter(command, rest), ...flags.flatMap((one) => listMisplacedFlag(command, one))]
}

function listMisplacedFlag(command: Command, one: Switch | Option): string[] {
  const takers = Object.entries<CommandOf>(COMMANDS).filter(([, { switches = [], options = [] }]) =>
    [...switches, ...options].includes(one),
  )
  if (takers.length === 0 || takers.some(([name]) => name === command)) return []
  return [`--${one} belongs to ${takers.map(([name]) => `millwright ${name}`).join(' and ')}`]
}

function listMisplacedAfter(command: Command, rest: readonly string[]): string[] {
  const { follows = [], or = [] }: CommandOf = COMMANDS[command]
  if (follows.length === 0) return rest.map((word) => `${quoteValue(word)} is not expected after ${command}`)
  const forms = [follows, ...or]
  const fits = forms.some(
    (form) => rest.length === form.length && form.every((word, at) => word.startsWith('<') || word === rest[at]),
  )
  const written = forms.map((form) => `millwright ${[command, ...form].join(' ')}`).join(' or ')
  return fits ? [] : [`${command} is written like this: ${written}`]
}

function describeUnknownCommand(word: string): string {
  const known = Object.keys(COMMANDS)
  return `${quoteValue(word)} is not a command${suggestKnown(word, known) || `: there are ${known.join(', ')}`}`
}

/** Formats the configuration as `millwright config` prints it for people. */
function formatSettings(settings: Settings): string {
  return `${describeConfig(settings).map(formatParagraph).join('\n\n')}\n`
}

/** Formats the configuration as `millwright config --json` prints it for programs. */
function formatSettingsJson(settings: Settings): string {
  return `${JSON.stringify(describeConfig(settings), null, 2)}\n`
}

function formatParagraph({ key, value, from, flag, variable, allowed, doc }: SettingDescription): string {
  const names = [flag, variable].filter((name) => name !== null).join(' or ')
  return [
    `${key}: ${value || 'not set'} (${from})`,
    wrapText(doc, '    '),
    wrapText(`${names}: ${allowed}.`, '    '),
  ].join('\n')
}
