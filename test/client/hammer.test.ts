import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, openTestApi, type TestApi } from '../support/api.ts'
import { type ClassSourcePeer, startClassSource } from '../support/peers/class-source.ts'
import { hammerCommands, hammerTable, UPLOADED } from './hammer-commands.ts'
import { millwrightHere, wordsOf } from './program.ts'

// Every command of the acceptance test of that command line, as our program takes it: the same words, or what the table says.

const home = mkdtempSync(join(tmpdir(), 'millwright-hammer-'))
let api: TestApi
let proxy: ClassSourcePeer
let workers: AsyncDisposable
let env: Record<string, string>

beforeAll(async () => {
  for (const [name, text] of Object.entries(UPLOADED)) writeFileSync(join(home, name), text)
  proxy = await startClassSource()
  proxy.hold({ testing: { ntp: { servers: { type: 'Array', literal: ['pool.example.com'] } }, ssh: {} } })
  api = await openTestApi()
  workers = await api.startTaskWorkers()
  env = {
    HOME: home,
    MILLWRIGHT_URL: await api.listen(),
    MILLWRIGHT_LOGIN: ADMIN.login,
    MILLWRIGHT_TOKEN: ADMIN.password,
  }
})
afterAll(async () => {
  await workers?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
  rmSync(home, { recursive: true })
})

test('scripts find their commands', async () => {
  const values = new Map([
    ['proxy', proxy.url],
    ['files', home],
  ])
  const problems: string[] = []
  for (const { command, ours, captured, isRefused } of hammerCommands()) {
    if (ours === null) continue
    const line = ours.replace(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole)
    const { code, stdout, stderr } = await millwrightHere(
      [...wordsOf(line), ...(captured === null ? [] : ['--output', 'json'])],
      env,
    )
    if ((code !== 0) !== isRefused) problems.push(`${command}\n    ${line}\n    ${code} ${stderr.trim()}`)
    const id = captured === null || code !== 0 ? undefined : [JSON.parse(stdout)].flat()[0]?.id
    if (captured !== null && id !== undefined) values.set(captured, String(id))
  }
  expect(problems.join('\n')).toBe('')
}, 120_000)

test('the table says so', () => {
  const path = join(import.meta.dirname, '../../docs/hammer.md')
  const [head = '', , foot = ''] = readFileSync(path, 'utf8').split(/<!-- (?:begin|end) of the table -->\n/)
  const text = `${head}<!-- begin of the table -->\n${hammerTable()}\n<!-- end of the table -->\n${foot}`
  if (process.env.UPDATE_TABLE) writeFileSync(path, text)
  expect(hammerCommands().length).toBeGreaterThanOrEqual(250)
  expect(readFileSync(path, 'utf8')).toBe(text)
})
