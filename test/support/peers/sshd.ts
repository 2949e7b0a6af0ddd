import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder, openServer, type Server, withFreePorts } from '../directories/server.ts'
import { execFile } from '../processes.ts'

/** OpenSSH's server on 127.0.0.1, which accepts the user who runs the tests, by key only. */
export interface Sshd extends Server {
  readonly port: number
  readonly user: string
  /** The private key that it accepts. */
  readonly key: string
  /** A key that it does not accept. */
  readonly otherKey: string
  /** The first key, protected with a passphrase. */
  readonly lockedKey: string
  /** The line of known_hosts for its host key under the name localhost. */
  readonly knownHosts: string
  /** A line with another host key. */
  readonly wrongKnownHosts: string
  /** A line that revokes its host key. */
  readonly revokedKnownHosts: string
}

const SSHD = '/usr/sbin/sshd'
const PROGRAMS = [SSHD, '/usr/bin/ssh', '/usr/bin/ssh-keygen']

/** Starts the server. Null where its programs are missing, which fails with CI=true. */
export async function startSshd(): Promise<Sshd | null> {
  if (PROGRAMS.every(existsSync)) return start()
  const missing = 'openssh-server and openssh-client are not installed (.ci/run installs them)'
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: the tests with sshd: ${missing}`)
  return null
}

async function start(): Promise<Sshd> {
  const folder = makeFolder()
  const file = (name: string) => join(folder, name)
  const read = (name: string) => readFileSync(file(name), 'utf8')
  for (const name of ['host', 'impostor', 'user', 'other']) await makeKey(file(name))
  writeFileSync(file('locked'), read('user'), { mode: 0o600 })
  await promisify(execFile)('ssh-keygen', ['-p', '-q', '-P', '', '-N', 'open sesame', '-f', file('locked')])
  // The server requires this folder when it runs as root; Debian creates it when the service starts.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })

  return withFreePorts(1, async (port) => {
    writeFileSync(file('config'), configuration(folder, port))
    const server = await openServer(folder, {
      program: SSHD,
      args: ['-D', '-e', '-f', file('config')],
      addresses: [{ host: '127.0.0.1', port }],
    })
    const line = (key: string) => `[localhost]:${port} ${read(`${key}.pub`)}`
    return Object.assign(server, {
      port,
      user: userInfo().username,
      key: read('user'),
      otherKey: read('other'),
      lockedKey: read('locked'),
      knownHosts: line('host'),
      wrongKnownHosts: line('impostor'),
      revokedKnownHosts: `@revoked ${line('host')}`,
    })
  })
}

async function makeKey(file: string): Promise<void> {
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file])
}

function configuration(folder: string, port: number): string {
  return `
ListenAddress 127.0.0.1
Port ${port}
HostKey ${folder}/host
AuthorizedKeysFile ${folder}/user.pub
PidFile none
UsePAM no
StrictModes no
PubkeyAuthentication yes
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PrintMotd no
LogLevel VERBOSE
`
}
