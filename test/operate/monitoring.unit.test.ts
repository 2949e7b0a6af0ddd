import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Program, ready, start } from '../cli/program.ts'
import { spawnSync } from '../support/processes.ts'

const TOKEN = 'a token for the metrics'
const RULES = resolve('packaging/monitoring/alerts.yaml')
const promtool = existsSync('/usr/bin/promtool')
if (!promtool) console.log('skipped: alert rules by promtool (it comes with the package prometheus)')
const folder = mkdtempSync(join(tmpdir(), 'millwright-monitoring-'))
let program: Program
let address: string
beforeAll(async () => {
  const env = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_METRICS_TOKEN: TOKEN }
  program = start(['--port', '0'], folder, env)
  address = await ready(program)
}, 180_000)
afterAll(async () => {
  program.process.kill('SIGKILL')
  await program.ended
  rmSync(folder, { recursive: true, force: true })
})

const metrics = async () =>
  (await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text()
const as = (login: string, password: string) =>
  fetch(`${address}/api/status`, { headers: { authorization: `Basic ${btoa(`${login}:${password}`)}` } })

test('logins are counted, and those that are refused are events without what was typed', async () => {
  expect((await as('admin', 'correct horse')).status).toBe(200)
  expect((await as('my-secret-word', 'hunter2')).status).toBe(401)
  expect((await fetch(`${address}/api/status`)).status).toBe(401)
  const text = await metrics()
  expect(text).toMatch(/^millwright_logins_total\{method="password",result="granted"\} 1$/m)
  expect(text).toMatch(/^millwright_logins_total\{method="password",result="refused"\} 1$/m)
  await vi.waitFor(() => expect(program.stderr()).toContain('"login refused"'))
  const events = program
    .stderr()
    .match(/^.*login refused.*$/gm)
    ?.map((line) => JSON.parse(line))
  expect(events).toMatchObject([{ method: 'password', address: '127.0.0.1', reason: 'refused' }])
  expect(program.stderr()).not.toMatch(/my-secret-word|hunter2/)
})

test('the state of queues, jobs, caches and the build is told', async () => {
  const text = await metrics()
  for (const queue of ['tasks', 'config_runs']) {
    expect(text).toContain(`millwright_queue_length{queue="${queue}",state="waiting"} 0\n`)
    expect(text).toContain(`millwright_queue_oldest_seconds{queue="${queue}"} 0\n`)
  }
  expect(text).toMatch(/^millwright_build_info\{version="\d[^"]*",node="v24[^"]*"\} 1$/m)
  expect(text).toMatch(/^millwright_identity_cache_uses_total\{result="miss"\} [1-9]/m)
})

test('each metric of the alert rules and of the dashboard is there', async () => {
  const known = new Set([...(await metrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  for (const path of [RULES, resolve('packaging/monitoring/dashboard.json')]) {
    const names = new Set(readFileSync(path, 'utf8').match(/\b(?:millwright|process)_[a-z_]+\b/g))
    const base = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '')
    expect([...names].filter((name) => !known.has(name) && !known.has(base(name)))).toEqual([])
    expect(names.size).toBeGreaterThan(5)
  }
})

test.skipIf(!promtool)('promtool understands the alert rules, and the expressions of the dashboard', () => {
  expect(spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toMatchObject({ status: 0 })
  const { panels } = JSON.parse(readFileSync(resolve('packaging/monitoring/dashboard.json'), 'utf8'))
  const expressions: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr.replaceAll('$instance', '.*')),
  )
  const rules = expressions.map((expr, at) => ({ record: `expression:${at}`, expr }))
  const file = join(folder, 'dashboard-rules.json') // JSON is YAML
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  expect(spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})
