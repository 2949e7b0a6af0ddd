import { findGroup, type Rest, readRest } from '../arguments.ts'
import type { Session } from './session.ts'

/** A command below the words of a resource that does more than one request. */
export interface Special {
  readonly words: readonly string[]
  readonly usage: string
  readonly about: string
  readonly flags: Readonly<Record<string, string>>
  readonly run: (session: Session, argv: readonly string[]) => Promise<number>
}

interface Declared extends Omit<Special, 'run'> {
  readonly handle: (session: Session, rest: Rest) => Promise<number>
}

const DECLARED: readonly Declared[] = [
  {
    words: ['run start'],
    usage: 'run start HOST [--follow]',
    about: 'Runs the configuration of a host; --follow prints the output live.',
    flags: { host: 'v', follow: '', wait: '' },
    handle: async (session, rest) => (await import('./runs.ts')).startRun(session, rest),
  },
  {
    words: ['run follow'],
    usage: 'run follow ID',
    about: 'Follows the output of a run until its end.',
    flags: { id: 'v' },
    handle: async (session, rest) => (await import('./runs.ts')).followRun(session, rest),
  },
  {
    words: ['task follow', 'task progress'],
    usage: 'task follow ID',
    about: 'Waits for a task and prints its progress.',
    flags: { id: 'v' },
    handle: async (session, rest) => (await import('./runs.ts')).followTask(session, rest),
  },
  {
    words: ['classes explain'],
    usage: 'classes explain HOST PARAMETER',
    about: 'Explains the value of a class parameter for a host, as a tree.',
    flags: { host: 'v', parameter: 'v', 'sc-param': 'v' },
    handle: async (session, rest) => (await import('../shown.ts')).explainParameter(session, rest),
  },
  {
    words: ['auth-source ldap test'],
    usage: 'auth-source ldap test NAME [--watch]',
    about: 'Tests a directory step by step; --watch repeats the test until it succeeds.',
    flags: { id: 'v', name: 'v', watch: '' },
    handle: async (session, rest) => (await import('../directory.ts')).testDirectory(session, rest),
  },
  {
    words: ['webhook listen'],
    usage: 'webhook listen --forward-to URL [--type TYPES] [--resource RESOURCE] [--search SEARCH]',
    about: 'Sends new events to a URL, for development: without a webhook, unsigned.',
    flags: { 'forward-to': 'v', type: 'v', resource: 'v', record: 'v', search: 'v' },
    handle: async (session, rest) => (await import('./events.ts')).forwardEvents(session, rest),
  },
  {
    words: ['template render'],
    usage: 'template render --host HOST [--kind KIND]',
    about: 'Renders a template for a host.',
    flags: { host: 'v', kind: 'v', name: 'v' },
    handle: async (session, rest) => (await import('../shown.ts')).renderTemplate(session, rest),
  },
]

/** Finds the special command that the words begin with. */
export function specialOf(words: readonly string[]): Special | null {
  const group = findGroup(words)
  const titles = group ? group.group.words : [words[0] ?? '']
  const length = group?.length ?? 1
  const found = DECLARED.find((each) => titles.some((title) => each.words.includes(`${title} ${words[length]}`)))
  return found ? { ...found, run: (session, argv) => runDeclared(found, session, argv.slice(length + 1)) } : null
}

/** Lists the special commands. */
export function listSpecials(): readonly Omit<Special, 'run'>[] {
  return DECLARED
}

async function runDeclared({ flags, handle }: Declared, session: Session, argv: readonly string[]): Promise<number> {
  const { withCommonFlags } = await import('../taking.ts')
  const rest = readRest(argv, new Map([...withCommonFlags([]), ...Object.entries(flags)]))
  session.use(rest.values)
  return handle(session, rest)
}
