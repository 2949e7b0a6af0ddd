import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '../../support/processes.ts'

/** Ansible with its collection for this API, as Debian installs both. */
const PLAYBOOK = '/usr/bin/ansible-playbook'
const INVENTORY = '/usr/bin/ansible-inventory'
const COLLECTION = '/usr/lib/python3/dist-packages/ansible_collections/theforeman/foreman'

/** Lists the names of the modules or roles of the collection. */
export async function namesIn(what: 'modules' | 'roles'): Promise<string[]> {
  const found = await readdir(join(COLLECTION, what === 'roles' ? what : `plugins/${what}`))
  return found.filter((name) => !name.startsWith('__')).map((name) => name.replace(/\.py$/, ''))
}

/** Tells whether Ansible is installed; false is reported, and fails with CI=true. */
export function hasAnsible(): boolean {
  if (existsSync(PLAYBOOK) && existsSync(COLLECTION)) return true
  const missing = `${PLAYBOOK} or its collection is not installed (.ci/run installs them)`
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: the playbooks of Ansible: ${missing}`)
  return false
}

/**
 * Unpacks the newest archive of the collection that lies beside the checkout, or in the folder that MILLWRIGHT_ANSIBLE_COLLECTION
 * names, into a folder that Ansible takes collections from. Null, with a line, where there is none: no source of packages has it.
 */
export async function unpackNewerCollection(folder: string): Promise<string | null> {
  const place = process.env.MILLWRIGHT_ANSIBLE_COLLECTION ?? join(import.meta.dirname, '../../../../shared/peers')
  const found = existsSync(place) ? await readdir(place) : []
  const archives = found.filter((name) => /^theforeman-foreman-.*\.tar\.gz$/.test(name))
  const newest = archives.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1)
  if (newest === undefined) {
    console.log(`skipped: the newer collection of Ansible: no theforeman-foreman-*.tar.gz in ${place}`)
    return null
  }
  const collection = join(folder, 'ansible_collections/theforeman/foreman')
  await mkdir(collection, { recursive: true })
  const [code] = await once(
    spawn('tar', ['-xzf', join(place, newest), '-C', collection], { stdio: 'inherit' }),
    'close',
  )
  if (code !== 0) throw new Error(`${newest} could not be unpacked`)
  return folder
}

/** The result of a playbook: the number of tasks, and the names of those that changed something. */
export interface Played {
  readonly ok: number
  readonly changed: readonly string[]
  readonly failed: readonly string[]
  readonly output: string
  /** The other output, on one line. */
  readonly said: string
}

/** Groups of hosts by name, as `ansible-inventory --list` prints them, and the variables of each host. */
export interface Inventory {
  readonly groups: Readonly<
    Record<string, { readonly hosts?: readonly string[]; readonly children?: readonly string[] }>
  >
  readonly variables: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The other output, on one line. */
  readonly said: string
}

export interface Player extends AsyncDisposable {
  /** Runs a playbook with these variables and arguments of the command line; `--check` changes nothing. */
  readonly play: (playbook: string, variables: Readonly<Record<string, string>>, ...words: string[]) => Promise<Played>
  /**
   * Runs a playbook on this host, which stands for this machine, and uploads its facts and results with the collection's
   * callback.
   */
  readonly report: (playbook: string, host: string) => Promise<Played>
  /** Yields the inventory that the collection's plugin builds from a configuration. */
  readonly inventory: (configuration: string) => Promise<Inventory>
}

/**
 * Creates a player that runs playbooks against a server, with a home directory of its own for what the collection stores.
 */
export async function openPlayer(server: {
  readonly url: string
  readonly login: string
  readonly password: string
  /** The folder to take the collection from, if not from Debian's. */
  readonly collections?: string
}): Promise<Player> {
  const home = await mkdtemp(join(tmpdir(), 'ansible-'))
  const { collections } = server
  const interpreter = await startInterpreter(join(home, 'python'), collections)
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    ...(collections && { ANSIBLE_COLLECTIONS_PATH: collections }),
    ANSIBLE_CALLBACKS_ENABLED: '',
    ANSIBLE_RETRY_FILES_ENABLED: 'false',
    ANSIBLE_LOCALHOST_WARNING: 'false',
    ANSIBLE_INVENTORY_UNPARSED_WARNING: 'false',
    ANSIBLE_PIPELINING: 'true',
    ANSIBLE_CONNECTION_PLUGINS: join(import.meta.dirname, 'connections'),
    PYTHONDONTWRITEBYTECODE: '1', // the plugin lies among the sources
    FOREMAN_SERVER_URL: server.url,
    FOREMAN_USER: server.login,
    FOREMAN_PASSWORD: server.password,
    FOREMAN_VALIDATE_CERTS: 'false',
  }
  const played = async (
    playbook: string,
    words: readonly string[],
    variables: object,
    more: NodeJS.ProcessEnv = {},
  ) => {
    const extra = JSON.stringify({ ...variables, ansible_python_interpreter: interpreter.command })
    const all = ['-c', 'forked', '-e', extra, ...words, playbook]
    return counted(await printed(PLAYBOOK, all, { ...env, ...more, ANSIBLE_STDOUT_CALLBACK: 'json' }))
  }
  return {
    play: (playbook, variables, ...words) => played(playbook, ['-i', 'localhost,', ...words], variables),
    report: (playbook, host) => {
      const { protocol, host: address } = new URL(server.url)
      return played(
        playbook,
        ['-i', `${host},`],
        {},
        {
          ANSIBLE_CALLBACKS_ENABLED: 'theforeman.foreman.foreman',
          // The callback uses certificates; without one it logs in by the credentials in the address.
          FOREMAN_SERVER_URL: `${protocol}//${server.login}:${server.password}@${address}`,
        },
      )
    },
    inventory: async (configuration) => {
      const { output, said } = await printed(INVENTORY, ['-i', configuration, '--list'], env)
      const { _meta, ...groups } = JSON.parse(output) // its own format
      return { groups, variables: _meta.hostvars, said }
    },
    [Symbol.asyncDispose]: async () => {
      interpreter.process.kill()
      await rm(home, { recursive: true, force: true })
    },
  }
}

const PYTHON = '/usr/bin/python3'

/** Starts the process whose forks run the modules, and yields the interpreter that `connections/forked.py` knows it by. */
async function startInterpreter(socket: string, collections?: string) {
  const program = join(import.meta.dirname, 'interpreter.py')
  const env = { ...process.env, ...(collections && { PYTHONPATH: collections }) }
  const child = spawn(PYTHON, [program, socket], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [first] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (!String(first).startsWith('ready')) throw new Error(`${program} has ended: ${first}`)
  return { process: child, command: `${program} ${socket}` }
}

interface Printed {
  readonly output: string
  readonly said: string
}

async function printed(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Printed> {
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (!output.trimStart().startsWith('{')) throw new Error(`${program} could not be run: ${output}${errors}`)
  return { output, said: errors.replace(/\s+/g, ' ') }
}

interface Task {
  readonly task: { readonly name: string }
  readonly hosts: Readonly<
    Record<
      string,
      {
        readonly changed?: boolean
        readonly failed?: boolean
        readonly msg?: unknown
        readonly warnings?: readonly string[]
      }
    >
  >
}

function counted({ output, said }: Printed): Played {
  const { plays } = JSON.parse(output) as { readonly plays: readonly { readonly tasks: readonly Task[] }[] } // its own format
  const results = plays.flatMap(({ tasks }) =>
    tasks.flatMap(({ task, hosts }) => Object.values(hosts).map((result) => ({ name: task.name, ...result }))),
  )
  return {
    ok: results.length,
    changed: results.filter(({ changed }) => changed).map(({ name }) => name),
    // A warning means that the server lacks something that the task needs.
    failed: results.flatMap(({ name, failed, msg, warnings = [] }) => [
      ...(failed ? [`${name}: ${JSON.stringify(msg)}`] : []),
      ...warnings.filter((warning) => !warning.includes('plain HTTP')).map((warning) => `${name}: ${warning}`),
    ]),
    output,
    said,
  }
}
