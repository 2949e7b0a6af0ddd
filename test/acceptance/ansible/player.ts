import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Ansible with its collection for this API, as Debian installs both. */
const PLAYBOOK = '/usr/bin/ansible-playbook'
const COLLECTION = '/usr/lib/python3/dist-packages/ansible_collections/theforeman/foreman'

/** Whether it is there; false is told, and with CI=true an error. */
export function hasAnsible(): boolean {
  if (existsSync(PLAYBOOK) && existsSync(COLLECTION)) return true
  const missing = `${PLAYBOOK} or its collection is not installed (.ci/run installs them)`
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: the playbooks of Ansible: ${missing}`)
  return false
}

/** What became of a run: counted tasks, and those that changed something, by name. */
export interface Played {
  readonly ok: number
  readonly changed: readonly string[]
  readonly failed: readonly string[]
  readonly output: string
}

export interface Player extends AsyncDisposable {
  /** Runs a playbook with these extra variables; `--check` changes nothing. */
  readonly play: (playbook: string, variables: Readonly<Record<string, string>>, check?: '--check') => Promise<Played>
}

/** Somebody who runs playbooks against a server, with a home directory of their own for what the collection keeps. */
export async function openPlayer(server: {
  readonly url: string
  readonly login: string
  readonly password: string
}): Promise<Player> {
  const home = await mkdtemp(join(tmpdir(), 'ansible-'))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    ANSIBLE_CALLBACKS_ENABLED: '',
    ANSIBLE_RETRY_FILES_ENABLED: 'false',
    ANSIBLE_LOCALHOST_WARNING: 'false',
    ANSIBLE_INVENTORY_UNPARSED_WARNING: 'false',
    FOREMAN_SERVER_URL: server.url,
    FOREMAN_USER: server.login,
    FOREMAN_PASSWORD: server.password,
    FOREMAN_VALIDATE_CERTS: 'false',
  }
  return {
    play: async (playbook, variables, check) => {
      const extra = JSON.stringify({ ...variables, ansible_python_interpreter: '/usr/bin/python3' })
      const words = ['-i', 'localhost,', '-c', 'local', '-e', extra, ...(check ? [check] : []), playbook]
      return counted(await printed(words, { ...env, ANSIBLE_STDOUT_CALLBACK: 'json' }))
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

async function printed(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(PLAYBOOK, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (!output.trimStart().startsWith('{')) throw new Error(`the playbook could not be run: ${output}${errors}`)
  return output
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

function counted(output: string): Played {
  const { plays } = JSON.parse(output) as { readonly plays: readonly { readonly tasks: readonly Task[] }[] } // its own format
  const results = plays.flatMap(({ tasks }) =>
    tasks.flatMap(({ task, hosts }) => Object.values(hosts).map((result) => ({ name: task.name, ...result }))),
  )
  return {
    ok: results.length,
    changed: results.filter(({ changed }) => changed).map(({ name }) => name),
    // A warning says that the server lacks something that was asked for.
    failed: results.flatMap(({ name, failed, msg, warnings = [] }) => [
      ...(failed ? [`${name}: ${JSON.stringify(msg)}`] : []),
      ...warnings.filter((warning) => !warning.includes('plain HTTP')).map((warning) => `${name}: ${warning}`),
    ]),
    output,
  }
}
