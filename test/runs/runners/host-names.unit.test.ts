import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Runner } from '../../../src/areas/runs/runners/runner.ts'
import { startProxy } from '../../support/peers/proxy.ts'
import { startSshd } from '../../support/peers/sshd.ts'
import { ran } from './running.ts'

const folder = mkdtempSync(join(tmpdir(), 'hosts-test-'))
const proxy = await startProxy()
const server = await startSshd()
vi.stubEnv('TMPDIR', folder) // so that every created file is noticed
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** The closing characters of these openings. */
const PAIRS = { '$(': ')', '`': '`', '<(': ')', '>(': ')', '${': '}', '(': ')', '{': '}' }

/** Names that would do harm in a shell, an option parser or a form. */
const HARMFUL = [
  ...[';', '|', '&', '&&', '||', '\n', '\r\n', ' ', '\t', ' #', '>'].map((between) => `web${between}touch ${folder}/x`),
  ...Object.entries(PAIRS).map(([open, close]) => `${open}touch ${folder}/x${close}`),
  ...`;|&$\`<>()*?[]{}'"\\~!#%^=+,:@/\0\n\t `.split('').flatMap((each) => [each, `web${each}x`, `${each}web`]),
  ...['-oProxyCommand=touch', '-l', '--', '-', 'web-', '-web.example.test', 'web.-x.test', 'ssh://web', 'root@web'],
  ...['', '.', 'web.', '.web', 'web..example', 'WEB', 'wéb', 'web_1', '日本', 'x'.repeat(64), 'x.'.repeat(127)],
  ...['a&nodes=b', 'a%26nodes=b', '../etc', '%{host}', '::1'],
]

const runners: Runner[] = [
  { kind: 'command', command: ['touch', `${folder}/started`], timeoutMs: 5_000 },
  { kind: 'proxy', url: proxy.url, timeoutMs: 5_000 },
]
if (server) {
  const { port, user, key, knownHosts } = server
  const common = { kind: 'ssh', port, user, privateKey: key, knownHosts, timeoutMs: 5_000 } as const
  runners.push({ ...common, command: `touch ${folder}/started` })
}

describe.each(runners.map((runner) => [runner.kind, runner] as const))('by %s', (_, runner) => {
  test('a host name of another form is refused before anything is started or sent', async () => {
    for (const host of HARMFUL) {
      const { outcome, stdout, stderr } = await ran(runner, host)
      expect({ host, ...outcome }).toMatchObject({
        host,
        status: 'failed',
        reason: 'host_name',
        exitStatus: null,
        retryable: false,
      })
      expect(outcome.message).toMatch(
        /^this is not the name of a host: ".*"; allowed are labels of lower-case letters, /,
      )
      expect(outcome.message).not.toMatch(/\p{Cc}/u)
      expect(stdout + stderr).toBe('')
    }
    expect(readdirSync(folder)).toEqual([])
    expect(proxy.asked).toEqual([])
  })
})

test('host names that are well-formed arrive as they are', async () => {
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/)
  const names = fc.sample(fc.array(label, { minLength: 1, maxLength: 5 }), 20).map((labels) => labels.join('.'))
  for (const name of [...names, `${'x'.repeat(63)}.test`]) {
    const { stdout } = await ran({ kind: 'command', command: ['printf', '%s'], timeoutMs: 5_000 }, name)
    expect(stdout).toBe(name)
  }
})
