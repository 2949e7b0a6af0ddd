import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { spawn } from '../../support/processes.ts'

const PROJECT = join(import.meta.dirname, '../../..')

/** The result of a command. */
export interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** hammer, loaded once, with a home directory of its own. */
export interface Hammer extends AsyncDisposable {
  /** The commands, each with its options. */
  readonly commands: Readonly<Record<string, readonly string[]>>
  /** Commands that could not be loaded, with the reasons. */
  readonly broken: Readonly<Record<string, string>>
  /** Yields the output of loading. */
  readonly said: () => string
  readonly run: (words: readonly string[]) => Promise<Ran>
}

export interface HammerOptions {
  readonly version: string
  readonly url: string
  /** Keeps the session cookie instead of sending a password each time, and loads commands on demand. */
  readonly sessions?: boolean
}

/** Tells whether this version is installed completely; false is reported, and fails with CI=true. */
export function hasHammer(version: string): boolean {
  const wanted = readFileSync(join(import.meta.dirname, `gems/${version}.txt`), 'utf8')
  const installed = join(homeOf(version), 'installed')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return true
  const missing = `hammer ${version} is not installed (.ci/run, or scripts/install-hammer.sh, installs it)`
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: ${missing}`)
  return false
}

/** Yields a function that runs hammer as a new process each time; what it stores is in the home directory. */
export async function hammerCommand(version: string, home: string, url: string) {
  await configure(home, url, false)
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', GEM_HOME: homeOf(version) }
  return { program: join(homeOf(version), 'bin/hammer'), env }
}

/** Loads hammer for a server, whose description it reads. */
export async function openHammer({ version, url, sessions = false }: HammerOptions): Promise<Hammer> {
  const home = await mkdtemp(join(tmpdir(), 'hammer-'))
  await configure(home, url, sessions)
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', GEM_HOME: homeOf(version) }
  const words = [join(import.meta.dirname, 'driver.rb'), ...(sessions ? ['--lazy'] : [])]
  const child = spawn('ruby', words, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`hammer ${version} has ended: ${said}`)
    return JSON.parse(value)
  }
  const dispose = async () => {
    child.stdin.end()
    await ended
    await rm(home, { recursive: true, force: true })
  }
  try {
    const { commands, broken } = await answer()
    const run = async (command: readonly string[]): Promise<Ran> => {
      child.stdin.write(`${JSON.stringify(command)}\n`)
      return answer()
    }
    return { commands, broken, said: () => said, run, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

function homeOf(version: string): string {
  return join(PROJECT, '.cache', `hammer-${version}`)
}

async function configure(home: string, url: string, sessions: boolean): Promise<void> {
  const settings = join(home, '.hammer')
  await mkdir(join(settings, 'cli.modules.d'), { recursive: true })
  await writeFile(join(settings, 'cli_config.yml'), `:ui:\n  :interactive: false\n:log_dir: '${home}'\n`)
  const login = sessions ? '  :use_sessions: true\n' : "  :username: 'admin'\n  :password: 'admin-password'\n"
  const modules = ['foreman_puppet', 'foreman_tasks', 'foreman_webhooks', 'katello'].map(
    (name) => `:${name}:\n  :enable_module: true\n`,
  )
  await writeFile(
    join(settings, 'cli.modules.d/modules.yml'),
    `:foreman:\n  :enable_module: true\n  :host: '${url}'\n${login}${modules.join('')}`,
  )
}
