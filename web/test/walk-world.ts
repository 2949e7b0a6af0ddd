import { randomBytes } from 'node:crypto'
import { assembleResources } from '../../src/areas/index.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { fillContent } from '../../test/laws/content-world.ts'
import { publicKey, textFacts, written } from '../../test/laws/values.ts'
import { storeAnswers } from '../../test/support/answered.ts'
import { type Caller, expectCreated, type TestApi } from '../../test/support/api.ts'
import { type Body, leastBody, pathFor, resourceNamed, wrapped } from '../../test/support/given.ts'
import { openSite, type Site } from './looks-world.ts'

const MARKUP = '<img src=x onerror=alert(1)>'
const TURNING = '\u202eright to left\u2066'

/** Hostile or unexpected names; the last joins all of them, up to the length limit of names. */
export const HOSTILE = [
  MARKUP,
  TURNING,
  '🦊'.repeat(255),
  MARKUP + TURNING + '🦊'.repeat(255 - MARKUP.length - TURNING.length),
] as const

/** A record, and the list of the console that shows it. */
export interface Found {
  readonly home: string
  readonly id: number
}

/** A site in which each resource has records with hostile names. */
export interface HostileSite extends Site {
  /** A record of each hostile text, by the plural of the resource. */
  readonly records: ReadonlyMap<string, readonly Found[]>
}

/**
 * Opens the site of the handmade pages, and creates for each writable resource a record for each hostile text, in all keys
 * that accept it.
 */
export async function openHostileSite(): Promise<HostileSite> {
  const site = await openSite()
  const { api, place } = site.world
  await fillContent(api, place.organization_id)
  const records = new Map<string, readonly Found[]>()
  for (const resource of assembleResources().values()) {
    if (!resource.operations.includes('create')) continue
    const named: Found[] = []
    for (const text of HOSTILE) named.push(await createNamed(api.admin, resource, text))
    records.set(resource.plural, named)
  }
  await saySoOfHosts(api)
  await storeWhatOthersTell(api, records)
  return { ...site, records }
}

/** Creates a record with the text in every key that accepts it: keys that the API refuses are left out. */
async function createNamed(caller: Caller, resource: Resource, text: string): Promise<Found> {
  const path = resource.nestedOnly ? await pathFor(caller, resource) : resource.path
  const least = { ...(await leastBody(caller, resource.name)), ...NEEDED[resource.name]?.() }
  const isFree = (placed: ReturnType<typeof written>[number]) =>
    placed.field.kind === 'text' && !textFacts(placed).oneOf && !NEEDED[resource.name]?.()[placed.key]
  const keys = new Set(written(resource).flatMap((placed) => (isFree(placed) ? [placed.key] : [])))
  for (;;) {
    const body = { ...least, ...Object.fromEntries([...keys].map((key) => [key, text])) }
    const { status, body: answer, text: said } = await caller.post(path, wrapped(resource, body))
    if (status === 201 || status === 200) return { home: homeOf(resource, path), id: answer.id }
    const refused = Object.keys(answer?.error?.errors ?? answer?.errors ?? {}).filter((key) => keys.delete(key))
    if (refused.length === 0) throw new Error(`${resource.name} is not created: ${status} ${said}`)
  }
}

/** Yields the list in the console of what is created at a path of the API: below a record where there is no other. */
function homeOf({ nestedOnly, plural, parents }: Resource, path: string): string {
  if (!nestedOnly) return `/${plural}`
  const [parent = ''] = Object.keys(parents)
  return `/${resourceNamed(parent).plural}/${path.split('/').at(-2)}/${plural}`
}

const NEEDED: Readonly<Record<string, () => Body>> = {
  ssh_key: () => ({ key: publicKey(randomBytes(32)) }),
}

/** Stores what machines report and what refers to it: facts, reports, values and tokens. */
async function saySoOfHosts({ admin }: TestApi): Promise<void> {
  const name = 'web1.example.test'
  const facts = Object.fromEntries(HOSTILE.map((text) => [text, text]))
  const told = await admin.post('/api/hosts/facts', { name, facts: { kernel: 'Linux', ...facts } })
  if (told.status !== 201) throw new Error(told.text)
  const logs = HOSTILE.map((text) => ({
    log: { sources: { source: text }, messages: { message: text }, level: 'err' },
  }))
  const status = { applied: 0, restarted: 0, failed: 1, failed_restarts: 0, skipped: 0, pending: 0 }
  const reported_at = new Date().toISOString()
  await expectCreated(
    admin.post('/api/config_reports', { config_report: { host: name, reported_at, status, metrics: {}, logs } }),
  )
  const host_parameters_attributes = HOSTILE.map((value, place) => ({ name: `hostile${place}`, value }))
  const changed = await admin.put(`/api/hosts/${name}`, {
    host: { comment: HOSTILE.join('\n'), host_parameters_attributes },
  })
  if (changed.status !== 200) throw new Error(changed.text)
  for (const text of HOSTILE)
    await expectCreated(admin.post('/api/users/1/personal_access_tokens', { name: text, expires_at: '2099-01-01' }))
}

/** Stores what requests to a directory and a smart proxy yield, and records that exist only below others. */
async function storeWhatOthersTell({ admin, database }: TestApi, records: HostileSite['records']): Promise<void> {
  const idOf = (plural: string) => records.get(plural)?.at(-1)?.id ?? 0
  const answers = { name: HOSTILE[3], source: HOSTILE[0] }
  await storeAnswers(database, { ...answers, usergroup: idOf('usergroups'), smartProxy: idOf('smart_proxies') })
  const rules = `/content/api/content_view_filters/${idOf('content_view_filters')}/rules`
  await expectCreated(admin.post(rules, { name: HOSTILE[3] }))
  const webhook = { name: HOSTILE[3], target_url: 'https://hooks.example.test/', events: ['*'], enabled: false }
  await expectCreated(admin.post('/api/webhooks', { webhook }))
  // Of another user: the pages of the admin begin to set up their own, which ends one that waits for its code.
  const factors = `/api/users/${idOf('users')}/second_factors`
  await expectCreated(admin.post(factors, { second_factor: { kind: 'totp' } }))
}
