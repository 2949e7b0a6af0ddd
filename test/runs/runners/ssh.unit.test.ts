import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { SshRunner } from '../../../src/areas/runs/runners/runner.ts'
import { removeForgottenSshFiles } from '../../../src/areas/runs/runners/ssh-files.ts'
import { startListener, unusedPort } from '../../support/peers/listener.ts'
import { type Sshd, startSshd } from '../../support/peers/sshd.ts'
import { cancelledAt, keyFolders, type Ran, ran } from './running.ts'

const server = await startSshd()
// A name with characters that ssh would expand, in a folder that other tests do not use.
const folder = mkdtempSync(join(tmpdir(), 'ssh test %h-'))
vi.stubEnv('TMPDIR', folder)
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const over = (command: string, options: Partial<SshRunner> = {}): SshRunner => {
  const { port, user, key, knownHosts } = server as Sshd // all tests that use it are skipped without a server
  return { kind: 'ssh', user, port, privateKey: key, knownHosts, command, timeoutMs: 20_000, ...options }
}

describe.skipIf(!server)('a run over SSH', () => {
  afterEach(() => {
    expect(keyFolders()).toEqual([])
  })

  test('gives the command to the shell of the host and its output back, streams apart', async () => {
    const marker = join(folder, 'done')
    expect(await ran(over(`echo "a  b" | cat; echo trouble >&2; touch '${marker}'`))).toEqual({
      outcome: { status: 'succeeded', reason: null, exitStatus: 0, message: null, retryable: false },
      stdout: 'a  b\n',
      stderr: 'trouble\n',
      service: '',
    })
    expect(existsSync(marker)).toBe(true)
  })

  test('has the exit status of the command, also that with which ssh fails itself', async () => {
    for (const status of [1, 127, 255]) {
      const { outcome } = await ran(over(`exit ${status}`))
      expect(outcome).toEqual({
        status: 'failed',
        reason: 'exited',
        exitStatus: status,
        message: `exited with status ${status}`,
        retryable: false,
      })
    }
    expect((await ran(over('exit 2', { successStatuses: [0, 2] }))).outcome.status).toBe('succeeded')
    expect((await ran(over('exit 255', { successStatuses: [0, 255] }))).outcome.status).toBe('succeeded')
  })

  test('cannot be fooled by a command that prints what ssh would', async () => {
    const lie = 'echo "ssh: connect to host localhost port 22: Connection refused" >&2; exit 255'
    expect((await ran(over(lie))).outcome).toMatchObject({ reason: 'exited', exitStatus: 255, retryable: false })
  })

  test('knows a command that a signal ended from a connection that broke', async () => {
    expect((await ran(over('kill -9 $$'))).outcome).toMatchObject({ reason: 'killed', retryable: false })
    const { outcome } = await ran(over('kill -9 $PPID; sleep 5'))
    expect(outcome).toMatchObject({ reason: 'connection_lost', exitStatus: null, retryable: false })
    expect(outcome.message).toContain('whether the run goes on there is not known')
  })

  test('takes a command that looks like an option as the command', async () => {
    const { outcome, stderr } = await ran(over('-oProxyCommand=false'))
    expect(outcome).toMatchObject({ reason: 'exited' })
    expect(stderr).not.toBe('')
  })

  test('says what is wrong with keys, and never shows one', async () => {
    const { otherKey, lockedKey, knownHosts, wrongKnownHosts, revokedKnownHosts, key, port } = server as Sshd
    const inside = key.split('\n')[2] ?? 'nothing'
    const broken = key.replace(inside, inside.slice(0, 20))
    const cases = [
      [{ knownHosts: '' }, 'host_key_unknown', /not among the known hosts: it is ssh-ed25519 SHA256:\S{43}; compare/],
      [{ knownHosts: wrongKnownHosts }, 'host_key_changed', /not the known one: it is ssh-ed25519 SHA256:\S{43}; find/],
      [{ knownHosts: revokedKnownHosts }, 'host_key_revoked', /revoked in the known hosts: it is ssh-ed25519 SHA256/],
      [{ knownHosts: knownHosts.replace(`[localhost]:${port}`, 'elsewhere') }, 'host_key_unknown', /known hosts/],
      [{ privateKey: otherKey }, 'key_refused', /Permission denied \(publickey\)\.; add its public key/],
      [{ user: 'nobody-of-that-name' }, 'key_refused', /nobody-of-that-name@localhost: Permission denied/],
      [{ privateKey: lockedKey }, 'key_encrypted', /passphrase/],
      [{ privateKey: broken }, 'key_unreadable', /cannot be read: [^/]+; store it/],
      [{ privateKey: 'AAAA' }, 'key_unreadable', /from -----BEGIN to -----END/],
    ] as const
    for (const [options, reason, message] of cases) {
      const result = await ran(over('true', options))
      expect(result.outcome).toMatchObject({ status: 'failed', reason, exitStatus: null, retryable: false })
      expect(result.outcome.message).toMatch(message)
      expectNoSecrets(result, [key, otherKey, lockedKey])
    }
  })

  test('takes a key with the line ends of other systems, and without the last one', async () => {
    const privateKey = (server as Sshd).key.trimEnd().replaceAll('\n', '\r\n')
    expect((await ran(over('true', { privateKey }))).outcome.status).toBe('succeeded')
  })

  test('that reaches nobody may be tried again', async () => {
    await using closing = await startListener((client) => client.destroy())
    await using silent = await startListener(() => {})
    const refused = await ran(over('true', { port: await unusedPort() }))
    expect(refused.outcome).toMatchObject({ status: 'failed', reason: 'refused', retryable: true })
    expect(refused.outcome.message).toMatch(/^the connection is refused: ssh: connect to host localhost port \d+: /)
    const closed = await ran(over('true', { port: closing.port }))
    expect(closed.outcome).toMatchObject({ status: 'failed', reason: 'closed_early', retryable: true })
    const unresolved = await ran(over('true'), 'nowhere.invalid')
    expect(unresolved.outcome).toMatchObject({ status: 'failed', reason: 'unresolved', retryable: true })
    const late = await ran(over('true', { port: silent.port, timeoutMs: 900 }))
    expect(late.outcome).toMatchObject({ status: 'failed', reason: 'timeout', retryable: true })
    expect(late.outcome.message).toBe('timed out after 0.9 s')
    const speechless = await ran(over('true', { port: silent.port, timeoutMs: 4_000 }))
    expect(speechless.outcome).toMatchObject({ status: 'failed', reason: 'no_answer', retryable: true })
  })

  test('has a limit of time, and may not be tried again once it began', async () => {
    const { outcome, stdout } = await ran(over('echo begun; sleep 20', { timeoutMs: 8_000 }))
    expect(stdout).toBe('begun\n')
    expect(outcome).toMatchObject({ status: 'failed', reason: 'timeout', retryable: false })
    expect(outcome.message).toBe('timed out after 8 s; what has begun on the host may go on there')
  })

  test('can be cancelled, and leaves no ssh behind', async () => {
    const { outcome, stdout } = await cancelledAt(over('echo $SSH_CLIENT ready; sleep 5'), 'ready')
    expect(outcome).toMatchObject({ status: 'cancelled', reason: null, retryable: false })
    expect(outcome.message).toBe('cancelled; what has begun on the host may go on there')
    expect(stdout).toContain('ready')
    expect(clientsOf((server as Sshd).port)).toEqual([])
  })

  test('that is cancelled before the host lets it in may be tried again', async () => {
    await using silent = await startListener(() => {})
    const signal = AbortSignal.timeout(300)
    const { outcome } = await ran(over('true', { port: silent.port }), 'localhost', { signal })
    expect(outcome).toMatchObject({ status: 'cancelled', message: 'cancelled', retryable: true })
    expect(clientsOf(silent.port)).toEqual([])
  })

  test('keeps key and known hosts where nobody else can read them, while it runs', async () => {
    const modes: string[] = []
    const look = () => {
      for (const name of keyFolders()) {
        for (const path of ['', 'key', 'known_hosts']) {
          modes.push(`${path} ${(statSync(join(tmpdir(), name, path)).mode & 0o777).toString(8)}`)
        }
      }
    }
    await ran(over('echo here'), 'localhost', { write: look })
    expect(modes).toEqual([' 700', 'key 600', 'known_hosts 600'])
  })

  test('says which settings cannot be used', async () => {
    const cases = [
      [{ user: '-oProxyCommand=touch' }, 'the user has characters that are not allowed'],
      [{ user: 'root;id' }, 'the user has characters that are not allowed'],
      [{ port: 0 }, 'the port is not a number from 1 to 65535'],
      [{ port: 70_000 }, 'the port is not a number from 1 to 65535'],
      [{ command: ' ' }, 'the command is empty'],
    ] as const
    for (const [options, message] of cases) {
      const { outcome } = await ran(over('true', options))
      expect(outcome).toMatchObject({ status: 'failed', reason: 'settings', retryable: false })
      expect(outcome.message).toContain(message)
    }
  })
})

test('key files that killed processes left behind are removed, younger ones are not', async () => {
  const [old, young] = [join(tmpdir(), 'millwright-ssh-old001'), join(tmpdir(), 'millwright-ssh-young1')]
  for (const each of [old, young]) {
    mkdirSync(each, { mode: 0o700 })
    writeFileSync(join(each, 'key'), 'secret')
  }
  utimesSync(old, Date.now() / 1000 - 3600, Date.now() / 1000 - 3600)
  await removeForgottenSshFiles()
  expect(existsSync(old)).toBe(false)
  expect(readFileSync(join(young, 'key'), 'utf8')).toBe('secret')
  rmSync(young, { recursive: true })
})

function expectNoSecrets({ outcome, stdout, stderr, service }: Ran, keys: readonly string[]): void {
  const everything = [outcome.message, stdout, stderr, service].join('\n')
  for (const line of keys.flatMap((key) => key.split('\n').slice(1, -2))) expect(everything).not.toContain(line)
  expect(everything).not.toContain(tmpdir())
}

/** Lists the ssh processes that connect to a port. */
function clientsOf(port: number): string[] {
  const commands = readdirSync('/proc').map((name) => {
    const file = join('/proc', name, 'cmdline')
    try {
      return /^\d+$/.test(name) ? readFileSync(file, 'utf8') : ''
    } catch {
      return '' // it has ended meanwhile
    }
  })
  return commands.filter((command) => command.includes(`-p\0${port}\0`))
}
