import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service/service.ts'
import { type Hammer, hasHammer, openHammer } from '../acceptance/hammer/hammer.ts'
import { wordsOf as hammerWords } from '../acceptance/hammer/transcript.ts'
import { type ClassSourcePeer, startClassSource } from '../support/peers/class-source.ts'
import { quiet } from '../support/settings.ts'
import { type HammerCommand, hammerCommands, UPLOADED } from './hammer-commands.ts'
import { millwrightHere, wordsOf } from './program.ts'

// The two programs side by side: each command of the table that writes is told to both, each with a service of its own that
// began empty, and what the services have on record afterwards is compared. What only reads changes nothing: that it is
// understood is tested for each program by itself.

const VERSION = '5.0'
const MINUTES = 60_000
const hammer = hasHammer(VERSION)
const LOGIN = { login: 'admin', password: 'admin-password' }

describe.skipIf(!hammer)('hammer and millwright', { timeout: 5 * MINUTES }, () => {
  const files = mkdtempSync(join(tmpdir(), 'millwright-both-'))
  let proxy: ClassSourcePeer
  let services: readonly Service[] = []
  let loaded: Hammer

  beforeAll(async () => {
    for (const [name, text] of Object.entries(UPLOADED)) writeFileSync(join(files, name), text)
    proxy = await startClassSource()
    proxy.hold({ testing: { ntp: { servers: { type: 'Array', literal: ['pool.example.com'] } }, ssh: {} } })
    const start = () =>
      startService(
        readConfig([], ENVIRONMENT, () => ''),
        quiet,
      )
    services = [await start(), await start()]
    loaded = await openHammer({ version: VERSION, url: services[0]?.vendorAddress ?? '' })
  }, 2 * MINUTES)
  afterAll(async () => {
    await loaded?.[Symbol.asyncDispose]()
    for (const service of services) await service[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
    rmSync(files, { recursive: true, force: true })
  })

  test('do the same to the records', async () => {
    const [theirs, ours] = services.map(({ address }) => createSide(address))
    if (!theirs || !ours) throw new Error('two services were started')
    for (const { values } of [theirs, ours]) values.set('proxy', proxy.url).set('files', files)
    const env = {
      ...{ HOME: files, MILLWRIGHT_URL: ours.address },
      ...{ MILLWRIGHT_LOGIN: LOGIN.login, MILLWRIGHT_TOKEN: LOGIN.password },
    }
    const different: string[] = []
    let compared = 0
    for (const each of hammerCommands()) {
      if (each.ours === null || (each.version ?? VERSION) !== VERSION) continue
      if (each.captured === null && READS.test(each.command)) continue
      const [effect, ownEffect] = await Promise.all([
        runHammer(loaded, each, theirs),
        runOurs(each, each.ours, ours, env),
      ])
      compared++
      if (effect !== ownEffect) different.push(`${each.command}\n  hammer     ${effect}\n  millwright ${ownEffect}`)
    }
    expect(compared).toBeGreaterThanOrEqual(170)
    expect(different.join('\n')).toBe('')
  })
})

const READS =
  / (?:list|info|paths|ping|status|filters|kinds|sc-params|subscriptions|host-collections|product-content|puppet-classes)\b/

interface Side {
  readonly address: string
  /** What is known by name so far. */
  readonly values: Map<string, string>
  /** The id of the audit that was the last. */
  seen: number
}

function createSide(address: string): Side {
  return { address, values: new Map(), seen: 0 }
}

async function runHammer(loaded: Hammer, { command, captured, pattern }: HammerCommand, side: Side): Promise<string> {
  const { status, out } = await loaded.run(hammerWords(filledIn(command, side)))
  const found = pattern?.exec(out)?.[0]
  if (captured !== null && found !== undefined) side.values.set(captured, found)
  return effectOf(status === 0, side)
}

async function runOurs(
  { captured }: HammerCommand,
  line: string,
  side: Side,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const words = [...wordsOf(filledIn(line, side)), ...(captured === null ? [] : ['--output', 'json'])]
  const { code, stdout } = await millwrightHere(words, env)
  const id = captured === null || code !== 0 ? undefined : [JSON.parse(stdout)].flat()[0]?.id
  if (captured !== null && id !== undefined) side.values.set(captured, String(id))
  return effectOf(code === 0, side)
}

function filledIn(text: string, { values }: Side): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole)
}

interface Audit {
  readonly id: number
  readonly action: string
  readonly auditable_type: string
  readonly auditable_name: string
  readonly audited_changes: unknown
}

/** What the service has put on record since it was asked last, once all tasks have ended. */
async function effectOf(isDone: boolean, side: Side): Promise<string> {
  await expect
    .poll(async () => (await read(side, '/api/tasks?search=state+!%3D+stopped')).subtotal, { timeout: MINUTES })
    .toBe(0)
  const { results } = await read(side, '/api/audits?per_page=100&order=id+desc')
  const added = (results as Audit[]).filter(({ id }) => id > side.seen).toSorted((a, b) => a.id - b.id)
  side.seen = added.at(-1)?.id ?? side.seen
  const told = added.map(({ action, auditable_type, auditable_name, audited_changes }) => {
    // What is gone is gone, whatever the route wrote down of it.
    const changes = action === 'destroy' ? '' : JSON.stringify(audited_changes).replace(CHANCE, '…')
    return [action, auditable_type, auditable_name, changes].join(' ')
  })
  return [isDone ? 'done' : 'refused', ...told].join('\n    ')
}

/** Identifiers and times are others in each service. */
const CHANCE = /(?<="cp_id":)"\w+"|"[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}"|"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[^"]*"/g

async function read({ address }: Side, path: string): Promise<{ subtotal: number; results: unknown }> {
  const headers = { authorization: `Basic ${btoa(`${LOGIN.login}:${LOGIN.password}`)}` }
  const answer = await fetch(`${address}${path}`, { headers })
  return answer.json() as Promise<{ subtotal: number; results: unknown }>
}

const ENVIRONMENT = {
  MILLWRIGHT_DATA_DIR: 'memory',
  MILLWRIGHT_PORT: '0',
  MILLWRIGHT_VENDOR_PORT: '0',
  MILLWRIGHT_ADMIN_LOGIN: LOGIN.login,
  MILLWRIGHT_ADMIN_PASSWORD: LOGIN.password,
}
