import { leadingWordsOf, moveCommandFirst, suggestKnown } from './arguments.ts'
import type { Environment } from './commands/contexts.ts'
import { createSession, type Jobs, type Session, type Streams } from './commands/session.ts'
import { EXIT, Failure } from './failure.ts'
import { loadManifest } from './manifest.ts'

/** Commands that are not about a resource, by their first words; the code of each is loaded when it is used. */
const JOBS: Jobs = {
  login: {
    about: 'Logs in at a server, and keeps a token.',
    takes: 'URL [--user LOGIN | --browser | --device]',
    options: {
      user: ['LOGIN', 'Login of the user; without it the program asks.'],
      password: ['TEXT', 'Password; without it the program asks, and shows nothing of it.'],
      browser: ['', 'Logs in in a browser on this machine.'],
      device: ['', 'Logs in in a browser on any machine, by a code.'],
      permissions: ['LIST', 'With --browser or --device: only these permissions, a,b,c.'],
      name: ['TEXT', 'Name of the server for --context, the host of the URL by default.'],
      organization: ['TEXT', 'Organization of all later commands.'],
      location: ['TEXT', 'Location of all later commands.'],
    },
    run: async (s, a) => (await import('./commands/login.ts')).runLogin(s, a),
  },
  logout: {
    about: 'Ends that token and forgets it.',
    run: async (s, a) => (await import('./commands/login.ts')).runLogout(s, a),
  },
  context: {
    about: 'The servers that one is logged in at.',
    run: async (s, a) => (await import('./commands/login.ts')).runContexts(s, a),
  },
  api: {
    about: 'Sends a request as it is: api GET /api/hosts.',
    run: async (s, a) => (await import('./api.ts')).runApi(s, a),
  },
  batch: {
    about: 'Many requests in one transaction, a JSON each line.',
    run: async (s, a) => (await import('./api.ts')).runBatch(s, a),
  },
  templates: {
    about: 'Imports all templates of a folder or an archive, or exports all into a folder.',
    run: async (s, a) => (await import('./templates.ts')).runTemplates(s, a),
  },
  events: {
    about: 'Prints what has happened, one JSON a line; --follow goes on for ever.',
    run: async (s, a) => (await import('./commands/events.ts')).printEvents(s, a),
  },
  shadow: {
    about: 'Stands before an old server, and reports where its answers and ours differ.',
    run: async (s, a) => (await import('./shadow/command.ts')).runShadow(s, a),
  },
  switch: {
    about: 'Checks whether hosts can be switched over from an old server, and prints the way back.',
    takes: 'check --upstream URL … | back --since TIME [--output script|json]',
    run: async (s, a) =>
      a[0] === 'back'
        ? (await import('./back/command.ts')).runSwitchBack(s, a)
        : (await import('./switch-check.ts')).runSwitch(s, a),
  },
  watch: {
    about: 'Runs a command again and again.',
    run: async (s, a) => (await import('./commands/watch.ts')).watch(s, a, main),
  },
  help: { about: 'Prints what there is.', run: async (s, a) => (await import('./commands/help.ts')).help(s, JOBS, a) },
  man: {
    about: 'Prints the manual page of a command.',
    run: async (s, a) => (await import('./commands/manual.ts')).printManual(s, a, JOBS),
  },
  completion: {
    about: 'Prints the script that completes words in bash, zsh or fish.',
    run: async (s, a) => (await import('./commands/completion.ts')).printCompletion(s, a),
  },
  __complete: { about: '', run: async (s, a) => (await import('./commands/completion.ts')).complete(s, a, JOBS) },
  ping: {
    about: 'Whether the service is well.',
    run: (s, a) => runCommandLine(s, ['service', 'ping', ...a]),
  },
  status: {
    about: 'The version and the state of the service.',
    run: (s, a) => runCommandLine(s, ['service', 'status', ...a]),
  },
  whoami: {
    about: 'Who is logged in, from where, until when, and with which limits.',
    run: (s, a) => runCommandLine(s, ['service', 'whoami', ...a]),
  },
}

async function runCommandLine(
  session: Session,
  argv: readonly string[],
  others: readonly string[] = [],
): Promise<number> {
  return (await import('./command.ts')).runCommand(session, argv, others)
}

/**
 * Runs the command of the arguments; resolves with the exit code, or with null where it is a command of the server program.
 */
export async function main(argv: readonly string[], env: Environment, streams: Streams): Promise<number | null> {
  const session = createSession(env, streams)
  try {
    return await dispatch(session, moveCommandFirst(argv))
  } catch (error) {
    if (isBrokenPipe(error)) return EXIT.done
    const failure = error instanceof Failure ? error : null
    const message =
      failure?.message ?? `this should not happen: ${error instanceof Error ? error.message : String(error)}`
    await session.warn(message)
    return failure?.code ?? EXIT.refused
  }
}

async function dispatch(session: Session, argv: readonly string[]): Promise<number | null> {
  const words = leadingWordsOf(argv)
  const [first] = words
  if (first === undefined)
    return argv.some((word) => ['--help', '-h'].includes(word)) ? runJob(session, 'help', []) : null
  if (first === 'server' || loadManifest().server.includes(first)) return null
  if (Object.hasOwn(JOBS, first)) return runJob(session, first, argv.slice(1))
  const isHelp = argv.includes('--help') || argv.includes('-h')
  if (isHelp) return runJob(session, 'help', words)
  const { specialOf } = await import('./commands/special.ts')
  const special = specialOf(words)
  if (special) return special.run(session, argv)
  return runCommandLine(session, argv, Object.keys(JOBS))
}

function runJob(session: Session, name: string, argv: readonly string[]): Promise<number> {
  const job = JOBS[name]
  if (!job) throw new Failure(EXIT.usage, `there is no command ${name}${suggestKnown(name, Object.keys(JOBS))}`)
  if (
    name !== 'help' &&
    name !== '__complete' &&
    name !== 'watch' &&
    (argv.includes('--help') || argv.includes('-h'))
  ) {
    return runJob(session, 'help', [name])
  }
  return job.run(session, argv)
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}
