import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { performOperation } from '../../src/operator/operations.ts'
import type { Imported } from '../../src/switching/import.ts'
import type { Report } from '../../src/switching/report.ts'
import type { Undone } from '../../src/switching/undo.ts'
import { openWorld, type World } from '../laws/world.ts'
import { ADMIN, basic, openTestApi, type TestApi } from '../support/api.ts'
import { quiet } from '../support/settings.ts'
import { listAll } from './all-records.ts'
import { type OldPeer, serveOld } from './old-server.ts'
import { fillOld } from './old-world.ts'

let old: World
let peer: OldPeer
let here: TestApi

beforeAll(async () => {
  old = await openWorld({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  await fillOld(old)
  peer = await serveOld(old.api)
  here = await openTestApi()
}, 240_000)

afterAll(async () => {
  await here[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
  await old.api[Symbol.asyncDispose]()
})

const config = readConfig(
  [],
  { MILLWRIGHT_DATA_DIR: 'memory', MILLWRIGHT_ADMIN_LOGIN: ADMIN.login, MILLWRIGHT_PASSWORD_MEMORY: '8' },
  () => '',
)

/** Performs an operation as `millwright import` does, and yields the last line of its answer. */
async function perform(name: 'import-server' | 'undo-import', input: object): Promise<any> {
  const answer = await performOperation({ database: here.database, config, log: loud }, name, input)
  let text = ''
  for await (const part of answer as AsyncIterable<Uint8Array>) text += Buffer.from(part).toString()
  const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
  if (last.error) throw new Error(last.error)
  return last
}

const loud = Object.assign(Object.create(quiet), {
  error: (f: any) => {
    const m = String(f.err?.stack).split('\n').slice(0, 4).join('|')
    if (!saw.has(m)) {
      saw.add(m)
      console.log('FAULT', f.kind, f.record, m)
    }
  },
})
const saw = new Set<string>()

async function doImport(wishes: { plan?: boolean; keepIds?: boolean } = {}): Promise<Imported> {
  const order = { url: peer.url, authorization: basic(ADMIN.login, ADMIN.password), authority: null, connections: 2 }
  return (await perform('import-server', { ...order, plan: false, keepIds: false, ...wishes })).imported
}

const undo = async (): Promise<Undone> => (await perform('undo-import', { server: null })).undone

test('a plan stores nothing; an import makes both servers equal; again it changes nothing; an undo empties it', {
  timeout: 240_000,
}, async () => {
  const empty = await listAll(here.admin)
  const plan = await doImport({ plan: true })
  expect(await listAll(here.admin)).toEqual(empty)
  const { report, secrets } = await doImport()
  show(report)
  expect(plan.report.totals).toEqual(report.totals)
  expect(report.totals.refused).toBe(0)
  console.log(JSON.stringify(secrets.slice(0, 8)))
  const there = await listAll(old.api.admin)
  const taken = await listAll(here.admin)
  for (const [kind, records] of Object.entries(there)) expect.soft(taken[kind], kind).toEqual(records)
  const again = await doImport()
  show(again.report)
  expect(again.report.totals).toMatchObject({ created: 0, changed: 0, refused: 0 })
  expect(await undo()).toMatchObject({ kept: [] })
  expect(await listAll(here.admin)).toEqual(empty)
})
function show(report: Report) {
  for (const [k, v] of Object.entries<any>(report.kinds)) {
    const by = new Map<string, string[]>()
    for (const r of v.remarks)
      by.set(r.outcome + ': ' + r.reason, [...(by.get(r.outcome + ': ' + r.reason) ?? []), r.record])
    if (v.changed || v.refused || by.size)
      console.log(
        `${k} there ${v.there} c${v.created} ch${v.changed} l${v.left} r${v.refused} ` +
          [...by]
            .map(([r, n]) => `\n     ${n.length}x ${r} (${n[0]})`)
            .slice(0, 12)
            .join(''),
      )
  }
}
