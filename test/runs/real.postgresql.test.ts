import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'
import { AGENT, applying, hasAgent } from '../support/peers/agent.ts'
import { type Sshd, startSshd } from '../support/peers/sshd.ts'

// Everything here is real: the service, its workers, ssh and sshd, and the agent of the configuration engine.
const folder = mkdtempSync(join(tmpdir(), 'millwright-real-'))
const manifest = join(folder, 'site.pp')
const target = join(folder, 'configured')
const sshd = await startSshd()
const agent = hasAgent()

let api: TestApi
beforeAll(async () => {
  writeFileSync(manifest, `file { '${target}': content => "by the agent\\n" }\n`)
  api = await openTestApi({ env: { MILLWRIGHT_RUN_COMMANDS: AGENT } })
  await api.admin.put('/api/settings/configrun', { setting: { value: true } })
})
afterEach(() => rmSync(target, { force: true }))
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await sshd?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Waits for the run of a host through this proxy, and yields it. */
async function ranBy(proxy: Record<string, unknown>, name: string) {
  const { id: config_proxy_id } = await given(api.admin, 'smart_proxy', proxy)
  await given(api.admin, 'host', { name, managed: false, config_proxy_id })
  await using _workers = await api.startRunWorkers()
  const { status, headers } = await api.admin.put(`/api/hosts/${name}/configrun`)
  expect(status).toBe(200)
  const [path = ''] = /\/api\/config_runs\/\d+/.exec(String(headers.link)) ?? []
  await expect.poll(async () => (await api.admin.get(path)).body.finished_at, { timeout: 60_000 }).not.toBeNull()
  return { ...(await api.admin.get(path)).body, output: (await api.admin.get(`${path}/output`)).text }
}

/** Yields the columns of a smart proxy that reaches hosts through this server. */
function through({ user, port, key, knownHosts }: Sshd) {
  return { runner: 'ssh', ssh_user: user, ssh_port: port, ssh_key: key, ssh_known_hosts: knownHosts }
}

describe.skipIf(!agent)('the agent', () => {
  test('configures this machine as a command', async () => {
    const run = await ranBy(
      { runner: 'command', runner_command: [...applying(manifest), '--certname', '%{host}'] },
      'here.example.test',
    )
    expect(run).toMatchObject({ status: 'succeeded', runner: 'command', exit_status: 0 })
    expect(run.output).toContain('Applied catalog')
    expect(readFileSync(target, 'utf8')).toBe('by the agent\n')
  }, 90_000)

  test('fails with what it has to say about a manifest that is wrong', async () => {
    const wrong = join(folder, 'wrong.pp')
    writeFileSync(wrong, 'file { nonsense')
    const run = await ranBy(
      { runner: 'command', runner_command: [...applying(wrong), '--certname', '%{host}'] },
      'there.example.test',
    )
    expect(run).toMatchObject({ status: 'failed', exit_status: 1, reason: 'exited' })
    expect(run.output).toContain('Syntax error')
    expect(existsSync(target)).toBe(false)
  }, 90_000)

  test.skipIf(!sshd)(
    'configures a host over SSH',
    async () => {
      if (!sshd) return
      const run = await ranBy({ ...through(sshd), runner_command: applying(manifest) }, 'localhost')
      expect(run).toMatchObject({ status: 'succeeded', runner: 'ssh', exit_status: 0 })
      expect(run.output).toContain('Applied catalog')
      expect(readFileSync(target, 'utf8')).toBe('by the agent\n')
    },
    90_000,
  )
})

describe.skipIf(!sshd)('over SSH', () => {
  test('a host with another key than the known one is not logged in to, and the key is told to nobody', async () => {
    if (!sshd) return
    await api.admin.delete('/api/hosts/localhost')
    const run = await ranBy(
      { ...through(sshd), ssh_known_hosts: sshd.wrongKnownHosts, runner_command: ['touch', target] },
      'localhost',
    )
    expect(run).toMatchObject({ status: 'failed', reason: 'host_key_changed', attempt: 1 })
    expect(existsSync(target)).toBe(false)
    const [, secret = ''] = sshd.key.split('\n')
    expect(JSON.stringify(run)).not.toContain(secret)
  }, 60_000)
})
