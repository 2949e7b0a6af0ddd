import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type Program, ready, start } from '../cli/program.ts'
import { callerOf, makeHosts, type RunShown } from './program-world.ts'
import { eventually, hostProgram } from './queue-world.ts'

const directory = mkdtempSync(join(tmpdir(), 'millwright-killed-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const HOSTS = 100

test('kill -9 in the middle of 100 runs: each of them is accounted for after the next start, and none was begun twice', async () => {
  using program = hostProgram('sleep 0.3')
  const env = {
    MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
    MILLWRIGHT_RUN_COMMANDS: program.path,
    MILLWRIGHT_RUN_WORKERS: '6',
  }
  const first = started(env, 'killed')
  const caller = callerOf(await ready(first))
  await makeHosts(caller, program.path, HOSTS)
  const rollout = await caller.post('/api/config_rollouts', { config_rollout: { search: 'has name', parallel: 100 } })
  expect(rollout).toMatchObject({ queued: HOSTS })
  await eventually(() => program.hosts('started').length).toBeGreaterThan(20)
  first.process.kill('SIGKILL')
  await first.ended

  const again = callerOf(await ready(started(env, 'killed')))
  const path = `/api/config_rollouts/${rollout.id}`
  await expect.poll(async () => (await again.get(path)).finished_at, { timeout: 60_000 }).not.toBeNull()

  const { results } = await again.get('/api/config_runs?per_page=all')
  const runs = results as RunShown[]
  expect(runs).toHaveLength(HOSTS)
  const startedHosts = program.hosts('started')
  expect(startedHosts.length).toBe(new Set(startedHosts).size)
  const succeeded = runs.filter(({ status }) => status === 'succeeded').map((run) => run.host_name)
  const failed = runs.filter(({ status }) => status === 'failed')
  expect(succeeded.length + failed.length).toBe(HOSTS)
  expect(failed.length).toBeLessThanOrEqual(6)
  for (const { message } of failed) {
    expect(message).toBe('the process that ran it died; whether the run came to its end there is not known')
  }
  const finished = new Set(program.hosts('finished'))
  expect(succeeded.filter((host) => !finished.has(host))).toEqual([])
}, 180_000)

test('SIGTERM lets followers go and hands what runs back; the next start goes on with it', async () => {
  using program = hostProgram()
  const env = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_RUN_COMMANDS: program.path }
  const first = started(env, 'stopped')
  const address = await ready(first)
  const caller = callerOf(address)
  await makeHosts(caller, program.path, 1, 'wait')
  await caller.put('/api/hosts/wait-0.example.test/configrun', {})
  await eventually(() => program.hosts('started')).toHaveLength(1)
  const followed = fetch(`${address}/api/config_runs/1/events`, {
    headers: { authorization: `Basic ${btoa('admin:correct horse')}` },
  })
  const text = (await followed).text()

  first.process.kill('SIGTERM')
  expect(await first.ended, first.stderr()).toBe(0)
  expect(await text).toContain('event: state\n')
  expect(await text).not.toContain('event: end\n')

  const again = callerOf(await ready(started(env, 'stopped')))
  await eventually(() => program.hosts('started')).toHaveLength(2)
  program.letGo()
  await eventually(async () => (await again.get('/api/config_runs/1')).status).toBe('succeeded')
  expect(await again.get('/api/config_runs/1')).toMatchObject({ attempt: 1 })
}, 120_000)

function started(env: Record<string, string>, data: string): Program {
  const program = start(['--port', '0', '--data-dir', data, '--shutdown-timeout', '12s'], directory, env)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  return program
}
