import { ensureMatched } from './bodies.ts'
import { compareShapes, type Difference, partnerOf } from './compare.ts'
import { type Case, type Exchange, isList, isObject, type Json, type JsonObject } from './exchanges.ts'
import { KINDS, kindOf } from './kinds.ts'
import { kindOfAnswer, type Memory } from './memory.ts'
import { becomeSelf, placeParts, prepare, useClass } from './preconditions.ts'
import { publishOnce } from './publishing.ts'
import { numberOf, rowsOf, SUFFIX } from './records.ts'
import { idOf, readTarget, type Target } from './routes.ts'
import { type Answer, type Around, createWorld, type Ground, type World } from './world.ts'

/** What became of one exchange. */
export interface Outcome {
  readonly exchange: Exchange
  /** What was sent. */
  readonly sent: string
  readonly answer: Answer
  readonly differences: readonly Difference[]
  /** Why the world could not be made as the recording saw it. */
  readonly failures: readonly string[]
}

/** Replays a case against the listener: before each exchange the records it saw are made, afterwards shapes are compared. */
export async function replayCase({ by, exchanges }: Case, ground: Ground, memory: Memory): Promise<Outcome[]> {
  let server = ''
  const world = createWorld(ground, (kind, id) => memory.recall(by === 'client' ? exchanges : null, server, kind, id))
  const outcomes: Outcome[] = []
  for (const exchange of exchanges) {
    // Examples are independent of each other: the same id stands for different records.
    if (by === 'documentation') {
      world.forgetAll()
      world.own.clear()
    }
    server = exchange.server
    outcomes.push(await replay(world, exchange))
  }
  return outcomes
}

async function replay(world: World, exchange: Exchange): Promise<Outcome> {
  const target = readTarget(exchange.url)
  world.failures.length = 0
  if (exchange.status < 300 && target.steps[0] && OWN.test(exchange.url))
    await becomeSelf(world, target.steps[0].segment)
  const around = await ensurePath(world, exchange, target)
  await ensureSeen(world, exchange, target, { ...around, ...(await ensureAsked(world, target)) })
  const send = await prepare(world, exchange, target, around)
  const path = pathFor(world, exchange, target)
  const query = queryFor(world, target)
  const body = exchange.method === 'DELETE' ? undefined : await bodyFor(world, exchange, target, around)
  await placeParts(world, body)
  const url = query === '' ? path : `${path}?${query}`
  const answer = await send(exchange.method, url, body ?? undefined)
  const kind = kindOfAnswer(target)
  if (answer.status < 300 && exchange.status < 300 && answer.body !== undefined) {
    learn(world, kind, exchange.response, answer.body, target.prefix)
    const made = exchange.method === 'POST' && isObject(answer.body) ? numberOf(answer.body.id) : null
    if (made !== null) world.own.add(`${kind} ${made}`)
  }
  if (exchange.method === 'DELETE' && answer.status < 300) forgetDeleted(world, target)
  const differences =
    answer.status === exchange.status || (answer.status < 300 && exchange.status < 300)
      ? compareShapes(exchange.response, answer.body ?? answer.text)
      : []
  return { exchange, sent: `${exchange.method} ${url}`, answer, differences, failures: [...world.failures] }
}

/** The records that the path names, and their ids of ours by kind. */
async function ensurePath(
  world: World,
  exchange: Exchange,
  { steps, prefix, collection, action }: Target,
): Promise<Around> {
  const around: Record<string, number> = {}
  for (const [index, { collection: words, segment }] of steps.entries()) {
    const kind = kindOf(words, prefix)
    const isLast = index === steps.length - 1 && collection === null
    const id = idOf(segment)
    if (exchange.status === 404 && (isLast || id === null)) break
    const answered = isLast && action === null ? exchange.response : null
    const composite: JsonObject = kind === 'content_view' && COMPONENTS.test(exchange.url) ? { composite: true } : {}
    const said = { ...SOURCES[words], ...composite, ...recordOf(segment, id, kind, answered) }
    const isDeleted = isLast && action === null && exchange.method === 'DELETE' && exchange.by === 'documentation'
    const ours = await world.ensure(kind, isDeleted && exchange.status < 300 ? unused(kind, said) : said, around)
    if (ours !== null) around[kind] = ours
  }
  return around
}

const COMPONENTS = /content_view_components/

let unusedRecords = 0

/** A record of its own for an example that deletes one: in this world, others may use the one of that name by now. */
function unused(kind: string, said: JsonObject): JsonObject {
  if (said.id === undefined || KINDS[kind]?.within !== undefined || said.type !== undefined) return said
  const name = `unused${++unusedRecords}`
  return { id: said.id, name, title: name, login: name, latest_version: null, versions: [] }
}

/** What users may only do with records of their own. */
const OWN = /\/table_preferences/

/** What collections say of their records. */
const SOURCES: Readonly<Record<string, JsonObject>> = {
  auth_source_externals: { type: 'AuthSourceExternal' },
  auth_source_internals: { type: 'AuthSourceInternal' },
}

/** The records that the query names: organizations, locations, environments. */
async function ensureAsked(world: World, { query, prefix }: Target): Promise<Around> {
  const around: Record<string, number> = {}
  for (const [key, value] of query) {
    const id = /_id$/.test(key) ? numberOf(value) : null
    const kind = kindOf(key, prefix)
    const ours = id === null ? null : await world.ensure(kind, { id })
    if (ours !== null) around[kind] = ours
  }
  return around
}

/** What an exchange says of the record that a segment of its path names. */
function recordOf(segment: string, id: number | null, kind: string, answered: Json): JsonObject {
  const text = decodeURIComponent(segment)
  if (id === null) return { name: text, login: text, [KINDS[kind]?.label ?? 'name']: text }
  if (isObject(answered) && numberOf(answered.id) === id) return answered
  const input = isObject(answered) && isObject(answered.input) ? answered.input[kind] : null
  if (isObject(input)) return input
  const named = /^\d+-(.+)$/.exec(text)?.[1]
  return named === undefined ? { id } : { id, [SUFFIX]: named }
}

/** Makes the records that the answer shows, so that lists find them and answers can name them. */
async function ensureSeen(world: World, exchange: Exchange, target: Target, around: Around): Promise<void> {
  const { method, status, response, by } = exchange
  if (target.action === 'product_content') await ensureContent(world, response, target)
  if (status >= 300 || target.action !== null || method !== 'GET' || target.collection === null) return
  const kind = kindOf(target.collection, target.prefix)
  for (const row of seenRows(response).slice(0, by === 'client' ? 8 : 3)) {
    const ours = await world.ensure(kind, row, around)
    if (kind === 'puppetclass' && ours !== null) await useClass(world, ours, around)
  }
}

/** What a key may use is in repositories of its organization. */
async function ensureContent(world: World, response: Json, { steps }: Target): Promise<void> {
  const key = world.recall('activation_key', idOf(steps.at(-1)?.segment ?? '') ?? 0)
  for (const { product = null, content } of rowsOf(response)) {
    const name = isObject(content) ? (content.name ?? null) : null
    await world.ensure('repository', { name, product, organization_id: key?.organization_id ?? null })
  }
}

/** Some lists are of ids alone. */
function seenRows(response: Json): JsonObject[] {
  const results = isObject(response) ? response.results : null
  const ids = isList(results) ? results.map(numberOf).filter((id) => id !== null) : []
  return ids.length > 0 ? ids.map((id) => ({ id })) : rowsOf(response)
}

function pathFor(world: World, { status }: Exchange, { prefix, steps, collection, action }: Target): string {
  const parts = [prefix]
  for (const { collection: words, segment } of steps) {
    const id = idOf(segment)
    const ours = id === null ? undefined : world.idFor(kindOf(words, prefix), id)
    const missing = id !== null && status === 404 ? segment.replace(/^\d+/, '999999999') : segment
    parts.push(words, ours === undefined ? missing : segment.replace(/^\d+/, String(ours)))
  }
  if (collection !== null) parts.push(collection)
  if (action !== null) parts.push(action)
  return parts.join('/')
}

function queryFor(world: World, { query, prefix }: Target): string {
  const mapped = new URLSearchParams()
  for (const [key, value] of query) {
    const id = /_id$/.test(key) ? numberOf(value) : null
    const ours = id === null ? undefined : world.idFor(kindOf(key, prefix), id)
    const text = value.replace(/(\w+_id)=(\d+)/g, (all, name: string, digits: string) => {
      const found = world.idFor(kindOf(name, prefix), Number(digits))
      return found === undefined ? all : `${name}=${found}`
    })
    mapped.append(key, ours === undefined ? text : String(ours))
  }
  return mapped.toString()
}

/** The recorded body with our ids for the recorded ones; records that only it names are made. */
async function bodyFor(
  world: World,
  exchange: Exchange,
  { prefix, steps, collection }: Target,
  around: Around,
): Promise<Json> {
  const own = kindOf(collection ?? steps.at(-1)?.collection ?? '', prefix)
  const said = isObject(exchange.request) ? numberOf(exchange.request.organization_id) : null
  const organization = said === null ? null : await world.ensure('organization', { id: said })
  const inside = organization === null ? around : { ...around, organization }
  const mapId = async (key: string, value: Json): Promise<Json> => {
    const id = numberOf(value)
    const isOwn = key === 'parent_id' || key === 'id' || (key === 'component_ids' && own === 'content_view_component')
    const kind = isOwn ? own : kindOf(key, prefix)
    if (id === null || !(kind in KINDS || world.idFor(kind, id) !== undefined)) return value
    const ours = world.idFor(kind, id) ?? (key === 'id' ? null : await world.ensure(kind, { id }, inside))
    if (ours === null) return value
    if (kind === 'content_view' && own === 'activation_key') await publishOnce(world, ours)
    return typeof value === 'string' ? String(ours) : ours
  }
  const walk = async (value: Json, key: string): Promise<Json> => {
    if (isList(value)) {
      const list: Json[] = []
      for (const each of value) list.push(await walk(each, key))
      return list
    }
    if (isObject(value)) {
      const record: Record<string, Json> = {}
      for (const [name, each] of Object.entries(value)) {
        record[name] = name === 'id' ? await nestedId(world, key, own, each) : await walk(each, name)
      }
      return record
    }
    if (key === 'url' && own === 'smart_proxy' && value !== '') return world.ground.proxyUrl()
    if (own === 'auth_source' && key in world.ground.directory) return world.ground.directory[key] ?? null
    if (key === 'match' && typeof value === 'string') await ensureMatched(world, value)
    if (NAMED.has(key)) await world.ensure(key.replace(/_names$/, ''), { name: value, title: value })
    // Passwords were taken out of the recordings, or are shorter than ours have to be.
    if (key === 'password_hash' && value === '<HASHED_PASSWORD>' && exchange.status < 300) return 'SHA256'
    if (/^password(?:_confirmation)?$/.test(key) && typeof value === 'string') return value.padEnd(8, '*')
    return /(?:_ids?|^prior)$/.test(key) ? mapId(key, value) : value
  }
  return walk(exchange.request, '')
}

/** Keys that name records of the world. */
const NAMED = new Set(['organization_names', 'location_names'])

/** The id in a nested record, `interfaces_attributes: [{id: 22}]`. */
async function nestedId(world: World, key: string, own: string, value: Json): Promise<Json> {
  const id = numberOf(value)
  const kind =
    key === '' || key === own ? own : kindOf(key.replace(/_attributes$/, '').replace(/^.*_parameters$/, 'parameters'))
  if (id === null) return value
  const isKnown = key === '' || key === own || world.idFor(kind, id) !== undefined || !(kind in KINDS)
  return (isKnown ? world.idFor(kind, id) : await world.ensure(kind, { id })) ?? value
}

/** Which records of ours the answer shows in place of the recorded ones. */
function learn(world: World, kind: string, recorded: Json, ours: Json, prefix: string): void {
  if (isList(recorded) && isList(ours)) {
    const sameLength = recorded.length === ours.length
    for (const [index, each] of recorded.entries()) {
      const partner = sameLength && !isNamed(each) ? ours[index] : partnerOf(each, ours)
      if (partner !== undefined) learn(world, kind, each, partner, prefix)
    }
    return
  }
  if (!isObject(recorded) || !isObject(ours)) return
  const [theirId, ourId] = [numberOf(recorded.id), numberOf(ours.id)]
  if (theirId !== null && ourId !== null) world.know(kind, theirId, ourId)
  for (const [key, value] of Object.entries(recorded)) {
    const found = ours[key]
    if (found === undefined || found === null) continue
    learn(world, key === 'results' ? kind : kindOf(key, prefix), value, found, prefix)
  }
}

function isNamed(value: Json): boolean {
  return isObject(value) && ('name' in value || 'login' in value || 'match' in value)
}

function forgetDeleted(world: World, { steps, prefix, collection, action }: Target): void {
  const last = steps.at(-1)
  const id = last ? idOf(last.segment) : null
  if (last && id !== null && collection === null && action === null) world.forget(kindOf(last.collection, prefix), id)
}
