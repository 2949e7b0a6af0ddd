import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { importServer } from '../../src/switching/import.ts'
import { openOldServer } from '../../src/switching/old-server.ts'
import { undoImport } from '../../src/switching/undo.ts'
import { openWorking } from '../../src/switching/working.ts'
import { openWorld, type World } from '../laws/world.ts'
import { ADMIN, basic, openTestApi, type TestApi } from '../support/api.ts'
import { quiet } from '../support/settings.ts'
import { type OldPeer, serveOld } from './old-server.ts'

let old: World
let peer: OldPeer
let here: TestApi

beforeAll(async () => {
  old = await openWorld({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  peer = await serveOld(old.api)
  here = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
}, 240_000)

afterAll(async () => {
  await here[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
  await old.api[Symbol.asyncDispose]()
})

const loud = Object.assign(Object.create(quiet), { error: (f: any) => { const m = String(f.err?.stack).split('\n').slice(0,4).join('|'); if (!saw.has(m)) { saw.add(m); console.log('FAULT', f.kind, f.record, m) } } })
const saw = new Set<string>()
async function doImport(isPlan = false) {
  const config = readConfig([], { MILLWRIGHT_DATA_DIR: 'memory', MILLWRIGHT_ADMIN_LOGIN: ADMIN.login }, () => '')
  const working = await openWorking({ database: here.database, config, log: loud })
  using server = openOldServer({
    url: peer.url,
    authorization: basic(ADMIN.login, ADMIN.password),
    authority: null,
    connections: 2,
    pauseMs: 1,
  })
  return importServer(working, server, {
    address: peer.url,
    isPlan,
    keepsIds: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
}

test('plan, import, again, undo', { timeout: 240_000 }, async () => {
  const first = await doImport()
  console.log(JSON.stringify(first.report.totals))
  show(first.report)
  const again = await doImport()
  console.log(JSON.stringify(again.report.totals))
  show(again.report)
  const config = readConfig([], { MILLWRIGHT_DATA_DIR: 'memory', MILLWRIGHT_ADMIN_LOGIN: ADMIN.login }, () => '')
  const working = await openWorking({ database: here.database, config, log: quiet })
  console.log(JSON.stringify(await undoImport(working, null, new AbortController().signal)))
  expect(1).toBe(1)
})

function show(report: any) {
  for (const [k, v] of Object.entries<any>(report.kinds)) {
    const by = new Map<string, string[]>()
    for (const r of v.remarks) by.set(r.outcome + ': ' + r.reason, [...(by.get(r.outcome + ': ' + r.reason) ?? []), r.record])
    console.log(`${k} there ${v.there} c${v.created} ch${v.changed} l${v.left} r${v.refused} ` + [...by].map(([r, n]) => `\n     ${n.length}x ${r} (${n[0]})`).slice(0, 12).join(''))
  }
}
