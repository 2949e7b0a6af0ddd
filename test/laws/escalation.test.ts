import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Random, randomFrom } from '../fuzz/random.ts'
import { type Caller, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { seedOfRun } from '../support/seed.ts'
import { openTenants, randomPeople, type Tenants } from './escalation-world.ts'
import { beyond, type Rights, readTables, rightsOfAll, type Tables, within } from './rights.ts'
import { KINDS, learn, randomStep, type Step } from './walk.ts'

// No sequence of permitted writes gives anybody permissions that its author lacks, or lets the author act as somebody who
// has them. TEST_SEED repeats a run; ESCALATION_WALKS and ESCALATION_STEPS make it longer.
const SEED = seedOfRun()
const WALKS = Number(process.env.ESCALATION_WALKS ?? 12)
const STEPS = Number(process.env.ESCALATION_STEPS ?? 50)
const GIVING = ['user', 'role', 'filter', 'usergroup', 'organization', 'smart_proxy']

let api: TestApi
let tenants: Tenants
beforeAll(async () => {
  api = await openTestApi()
  await api.admin.put('/api/settings/failed_login_attempts_limit', { setting: { value: 0 } })
  tenants = await openTenants(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

test(`${WALKS} walks of ${STEPS} writes give nobody more than their author has (TEST_SEED=${SEED})`, {
  timeout: 600_000,
}, async () => {
  const accepted = new Map<string, number>()
  // Enough writes of each kind that grants permissions have to be accepted, or the walks prove little: further walks are
  // made for missing kinds.
  const missing = () => GIVING.filter((kind) => !accepted.has(kind))
  for (let walk = 0; walk < WALKS || (missing().length > 0 && walk < 4 * WALKS); walk++)
    await walkAround(randomFrom(SEED + walk), walk, accepted)
  console.log(`TEST_SEED=${SEED}`, Object.fromEntries(accepted))
  expect(missing(), `nothing accepted of these, of ${KINDS.join(', ')}`).toEqual([])
})

async function walkAround(random: Random, walk: number, accepted: Map<string, number>): Promise<void> {
  const { author, login, limits } = await randomPeople(random, api, tenants, walk)
  await forgotten()
  const start = await readTables(api.database)
  const before = rightsOfAll(start, start)
  const whole = before.get(login) ?? NOTHING
  const own = limits ? within(whole, limits, start) : whole
  // Whoever has only a limited token of somebody is another person.
  const self = limits ? '' : login
  const routes = api.routes.filter(({ group }) => group !== 'permissions')
  const done: string[] = []
  let tables = start
  let known = await learn(api, login)
  for (let step = 0; step < STEPS; step++) {
    const chosen = randomStep(random, routes, known)
    const { status } = await send(author, chosen)
    // Authors may disable themselves and revoke their token.
    if (status === 401) return
    if (status >= 300) continue
    accepted.set(chosen.resource.name, (accepted.get(chosen.resource.name) ?? 0) + 1)
    done.push(`${status} ${chosen.method} ${chosen.url} ${JSON.stringify(chosen.body)}`)
    const context = () => `walk ${walk} of TEST_SEED=${SEED}, ${login}, ${JSON.stringify(limits)}:\n${done.join('\n')}`
    const [then, now] = [tables, await readTables(api.database)]
    for (const spoken of [...spokenFor(chosen, then, self), ...decidedAbout(then, now, self)])
      expect(beyond(rightsOfAll(then, start).get(spoken) ?? NOTHING, own), `acts as ${spoken}; ${context()}`).toEqual(
        [],
      )
    tables = now
    known = await learn(api, login)
    for (const [who, rights] of rightsOfAll(tables, start)) {
      const gained = new Set(beyond(rights, before.get(who) ?? NOTHING))
      expect(beyond(gained, own), `${who} has gained; ${context()}`).toEqual([])
    }
  }
}

const NOTHING: Rights = new Set()

function send(author: Caller, { method, url, body }: Step): Promise<Reply> {
  const send = { POST: author.post, PUT: author.put, DELETE: author.delete }[method]
  return send(url, body)
}

/** Lists the users as whom the author of an accepted step can act by it, or whose keys the author has chosen. */
function spokenFor({ resource, method, ids, body }: Step, { users }: Tables, author: string): string[] {
  const named = (id: number | undefined) => users.filter((user) => user.id === id && user.login !== author)
  const sent = body[resource.word] as Readonly<Record<string, unknown>> | undefined
  if (resource.name === 'user_identity' && method === 'POST') return named(ids.user).map(({ login }) => login)
  if (resource.name === 'ssh_key') return named(ids.user).map(({ login }) => login)
  if (resource.name === 'personal_access_token' && method === 'POST') return named(ids.user).map(({ login }) => login)
  if (resource.name !== 'user' || method !== 'PUT') return []
  return named(ids.user)
    .filter(
      ({ login, auth_source_id }) =>
        sent?.password !== undefined ||
        (sent?.login !== undefined && sent.login !== login) ||
        (sent?.auth_source_id !== undefined && sent.auth_source_id !== auth_source_id),
    )
    .map(({ login }) => login)
}

/**
 * Lists the users about whom a changed source decides: those who log in through it, and the members it names for linked
 * groups.
 */
function decidedAbout(then: Tables, now: Tables, author: string): string[] {
  const before = new Map(then.sources.map(({ id, decides }) => [id, JSON.stringify(decides)]))
  const changed = now.sources.filter(({ id, decides }) => before.get(id) !== JSON.stringify(decides))
  const isOf = (source: number) => changed.some(({ id }) => id === source)
  return [
    ...then.users.filter((user) => isOf(user.auth_source_id) && user.login !== author).map(({ login }) => login),
    ...then.links.filter((link) => isOf(link.auth_source_id)).map(({ id }) => `link ${id}`),
  ]
}

/** Waits until the service has dropped cached users that were written directly. */
async function forgotten(): Promise<void> {
  await rows(api.database.db, sql`select pg_notify('identity', '')`)
  await api.admin.get('/api/status')
}
