import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import type { Report } from '../../src/switching/report.ts'
import { run } from '../cli/program.ts'
import type { TestApi } from '../support/api.ts'
import { openHere } from './here.ts'
import { type ReplayingPeer, serveRecorded } from './replaying-peer.ts'

let peer: ReplayingPeer
let here: TestApi
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  peer = await serveRecorded()
  folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  writeFileSync(join(folder, 'password'), 'secret\n')
  const opened = await openHere(folder)
  here = opened.api
  env = opened.env
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await here?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
})

/** A fault of one recorded record, and the words of the report. */
interface Fault {
  readonly kind: string
  /** The path of the list of the record, which is the first of it that is shown. */
  readonly path: string
  readonly reason: RegExp
  readonly answer: (response: ServerResponse, text: string) => void
}

interface Hit {
  readonly id: number
  readonly name: string
}

const JSON_TYPE = { 'content-type': 'application/json' }

const FAULTS: readonly Fault[] = [
  { kind: 'location', path: '/api/locations', reason: /it does not answer in time/, answer: () => undefined },
  {
    kind: 'environment',
    path: '/api/environments',
    reason: /it answers 500/,
    answer: (response) => void response.writeHead(500, JSON_TYPE).end('{"error":{"message":"broken facet"}}'),
  },
  {
    kind: 'architecture',
    path: '/api/architectures',
    reason: /its answer breaks off/,
    answer: (response, text) => void response.writeHead(200, JSON_TYPE).end(text.slice(0, -5)),
  },
  {
    kind: 'hostgroup',
    path: '/api/hostgroups',
    reason: /its answer breaks off/,
    answer: (response, text) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': text.length }).write(text.slice(0, 40))
      setTimeout(() => response.destroy(), 20)
    },
  },
  {
    kind: 'smart_proxy',
    path: '/api/smart_proxies',
    reason: /it answers a page \(text\/html\) instead of a record: a proxy in front of it\?/,
    answer: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>sorry</html>'),
  },
]

/** Plants the faults, and shifts the pages of hosts. Yields the records that were hit. */
function plant(): Map<Fault, Hit> {
  const hit = new Map<Fault, Hit>()
  const paths = new Map<string, Fault>()
  peer.fault = ({ pathname, searchParams }, body, response) => {
    if (pathname === '/api/hosts' && !searchParams.has('search')) {
      const { results, ...page } = body as { results: readonly object[] } // a list
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ ...page, results: results.slice(2) }))
      return true
    }
    const fault =
      paths.get(pathname) ?? FAULTS.find((one) => !hit.has(one) && new RegExp(`^${one.path}/\\d+$`).test(pathname))
    if (!fault) return false
    const { id, title, name } = body as { id: number; title?: string; name: string } // as recorded
    hit.set(fault, { id, name: title ?? name })
    paths.set(pathname, fault)
    fault.answer(response, JSON.stringify(body))
    return true
  }
  return hit
}

async function importRecorded(): Promise<Report> {
  const words = ['import', 'server', peer.url, '--user', 'admin', '--password-file', 'password', '--json']
  const { code, stdout, stderr } = await run([...words, '--timeout', '1'], folder, env)
  expect(code, stderr + stdout).toBe(0)
  return JSON.parse(stdout)
}

/** Lists the records that a report refuses, with the reasons. */
function listRefused({ kinds }: Report): readonly string[] {
  return Object.entries(kinds).flatMap(([kind, { remarks }]) =>
    remarks.filter(({ outcome }) => outcome === 'refused').map(({ record, reason }) => `${kind} ${record}: ${reason}`),
  )
}

/** Yields whether the journal knows a record, as it does once anything of it is stored. */
async function isTaken({ kind }: Fault, { id }: Hit): Promise<boolean> {
  const found = await rows(
    here.database.db,
    sql`select from imported_records where kind = ${kind} and their_id = ${id}`,
  )
  return found.length > 0
}

test('each fault of a replayed server is reported with kind, record and reason, and nothing is half written', {
  timeout: 120_000,
}, async () => {
  const hit = plant()
  const faulty = await importRecorded()
  peer.fault = null
  expect(hit.size).toBe(FAULTS.length)
  for (const [fault, one] of hit) {
    expect.soft(await isTaken(fault, one), fault.kind).toBe(false)
    expect.soft(faulty.kinds[fault.kind]?.remarks).toContainEqual({
      record: one.name,
      outcome: 'refused',
      reason: expect.stringMatching(fault.reason),
      fix: expect.any(String),
    })
  }
  const well = await importRecorded()
  for (const [fault, one] of hit) expect.soft(await isTaken(fault, one), fault.kind).toBe(true)
  expect(faulty.kinds.host?.there).toBe(well.kinds.host?.there)
  const known = new Set(listRefused(well))
  const further = listRefused(faulty).filter((remark) => !known.has(remark))
  // Hosts of the location that was not taken are refused, too.
  expect(further.filter((remark) => !/location_id can't be blank$/.test(remark))).toHaveLength(FAULTS.length)
})
