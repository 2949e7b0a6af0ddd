import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresqlBinaries, unprivilegedUser } from '../postgresql.ts'
import { spawn, spawnSync } from '../processes.ts'

/** A machine with a member of etcd, and with a PostgreSQL under Patroni. */
export interface Machine {
  startEtcd(): void
  startPatroni(): void
  /** Ends all of it at once, as a loss of power does. */
  kill(): void
  /** Has its PostgreSQL receive nothing more from the primary; yields what ends that, without what was sent meanwhile. */
  deafen(): () => void
  /** Waits until Patroni says that its PostgreSQL is the primary, or the standby that has all that is acknowledged. */
  becomes(role: 'primary' | 'sync'): Promise<void>
}

/** The cluster of docs/scaling.md: what is written there, with other addresses and folders. */
export interface PatroniCluster extends AsyncDisposable {
  /** The address that the service is given. */
  readonly url: string
  readonly primary: Machine
  readonly standby: Machine
}

/** Whether the programs are there, and can be run. Otherwise a line says what is skipped, and CI fails. */
export function hasPatroni(what: string): boolean {
  const isInstalled = ['/usr/bin/patroni', '/usr/bin/etcd'].every(existsSync) && postgresqlBinaries() !== null
  const [program = '', ...args] = [...apart(unprivilegedUser()), 'true']
  if (isInstalled && spawnSync(program, args, {}).status === 0) return true
  const lacks = isInstalled ? 'a process namespace of its own' : 'the packages patroni, etcd-server and postgresql'
  if (process.env.CI === 'true') throw new Error(`${what}: this takes ${lacks} (.ci/run installs packages)`)
  console.log(`skipped: ${what}: this takes ${lacks}`)
  return false
}

/** Starts two machines with a database and a third for etcd, and makes the role and the database of the page. */
export async function startCluster(): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-patroni-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', removeFolder)
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const page = readPage()
  const [primary, standby, third] = [1, 2, 3].map((number) => createMachine(page, number, join(folder, `db${number}`)))
  if (!primary || !standby || !third) throw new Error('three machines were made')
  for (const machine of [primary, standby, third]) machine.startEtcd()
  primary.startPatroni()
  await primary.becomes('primary')
  standby.startPatroni()
  createDatabase(page)
  await standby.becomes('sync')
  return {
    url: page.place(/DATABASE_URL='(.*)'/.exec(page.block('sh'))?.[1] ?? ''),
    primary,
    standby,
    async [Symbol.asyncDispose]() {
      for (const machine of [primary, standby, third]) machine.kill()
      await sleep(200) // the system is ending what runs there
      removeFolder()
      process.off('exit', removeFolder)
    },
  }
}

interface Page {
  /** Yields the block of code in this language. */
  block(language: 'ini' | 'yaml' | 'sql' | 'sh'): string
  /** Yields a text with the addresses of this machine instead of those of the page. */
  place(text: string): string
}

function readPage(): Page {
  const [, section = ''] = readFileSync('docs/scaling.md', 'utf8').split('\n### Patroni with etcd\n')
  // Addresses of this machine that no other run has, with the ports of the page: free ports are taken by connections meanwhile.
  const network = `127.${(process.pid >> 8) % 256}.${process.pid % 256}.`
  return {
    block: (language) => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section)?.[1] ?? '',
    place: (text) => text.replaceAll('192.0.2.0/24', '127.0.0.0/8').replaceAll('192.0.2.', network),
  }
}

function createMachine(page: Page, number: number, home: string): Machine {
  const user = unprivilegedUser()
  const config = join(home, 'config.yml')
  mkdirSync(home)
  writeFileSync(config, configurePatroni(page, number, home))
  if (user) for (const path of [home, config]) chownSync(path, user.uid, user.gid)
  const running: ReturnType<typeof spawn>[] = []
  const said: string[] = []
  const startProgram = (command: readonly string[], env: Readonly<Record<string, string>>) => {
    const [program = '', ...args] = [...apart(user), ...command]
    const options = { cwd: home, env: { PATH: process.env.PATH, HOME: home, ...env } }
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(String(chunk)))
    running.push(child)
  }
  return {
    startEtcd: () => startProgram(['etcd'], configureEtcd(page, number, home)),
    startPatroni: () => startProgram(['patroni', config], {}),
    kill() {
      for (const { pid } of running.splice(0)) if (pid) process.kill(-pid, 'SIGKILL')
    },
    deafen() {
      const receiver = findProcess('walreceiver', join(home, 'data'))
      process.kill(receiver, 'SIGSTOP')
      return () => {
        process.kill(receiver, 'SIGTERM')
        process.kill(receiver, 'SIGCONT')
      }
    },
    async becomes(role) {
      const asked = page.place(`http://192.0.2.${number}:8008/${role}`)
      for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) {
        const status = await fetch(asked).then(
          (answer) => answer.status,
          () => null,
        )
        if (status === 200) return
      }
      throw new Error(`the machine ${number} is not ${role} after a minute: ${said.join('').slice(-5000)}`)
    },
  }
}

/** Finds a process of PostgreSQL by its name and its folder. {@throws Error} where there is none */
function findProcess(name: string, folder: string): number {
  const isIt = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name) && readlinkSync(`/proc/${pid}/cwd`) === folder
    } catch {
      return false // it has ended
    }
  }
  const found = readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && isIt(pid))
  if (found === undefined) throw new Error(`there is no ${name} in ${folder}`)
  return Number(found)
}

/** The words before a command that run it in a world of processes of its own, which ends with its first, as an ordinary user. */
function apart(user: ReturnType<typeof unprivilegedUser>): readonly string[] {
  const namespaces = ['--pid', '--ipc', '--fork', '--kill-child', '--mount-proc']
  // The signal for the end of the parent is lost with a change of the user, so that the shell stays as it is.
  const first = ['sh', '-c', '"$@" & wait', 'sh']
  if (!user) return ['unshare', '--user', '--map-current-user', ...namespaces, ...first]
  const change = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  return ['unshare', ...namespaces, ...first, ...change]
}

function configureEtcd(page: Page, number: number, home: string): Record<string, string> {
  const lines = ofMachine(page, number, 'ini').replace('/var/lib/etcd/default', join(home, 'etcd')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

function configurePatroni(page: Page, number: number, home: string): string {
  const text = ofMachine(page, number, 'yaml')
    .replace('/var/lib/postgresql/patroni', join(home, 'data'))
    .replace(/bin_dir: .*/, `bin_dir: ${postgresqlBinaries()}`)
  // Nothing outside of its folder, and no waiting for a disk that loses no power.
  return `${text}  parameters:
    unix_socket_directories: ${home}
    dynamic_shared_memory_type: mmap
    fsync: 'off'
`
}

/** Yields a block, which is that of the first machine, as another one has it: lines that name all of them are the same. */
function ofMachine(page: Page, number: number, language: 'ini' | 'yaml'): string {
  const lines = page.block(language).split('\n')
  const own = lines.map((line) =>
    line.includes('192.0.2.3') ? line : line.replaceAll('192.0.2.1', `192.0.2.${number}`).replace('db1', `db${number}`),
  )
  return page.place(own.join('\n'))
}

/** Runs the statements of the page on the primary. */
function createDatabase(page: Page): void {
  const [, password = ''] = /username: postgres, password: (.*?) }/.exec(page.block('yaml')) ?? []
  const address = page.place('postgresql://postgres@192.0.2.1:5432/postgres')
  const { status, stderr } = spawnSync('psql', ['-v', 'ON_ERROR_STOP=1', address], {
    input: page.block('sql'),
    env: { PATH: process.env.PATH, PGPASSWORD: password },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`psql failed: ${stderr}`)
}
