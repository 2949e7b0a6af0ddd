import { ensureMatched } from './bodies.ts'
import { compareShapes, type Difference } from './compare.ts'
import { besideView, ensureOverridden, isElsewhere } from './content.ts'
import { type Case, type Exchange, isList, isObject, type Json, type JsonObject } from './exchanges.ts'
import { fitParts } from './hosts.ts'
import { KINDS, kindOf } from './kinds.ts'
import { forgetDeleted, learn } from './learning.ts'
import { kindOfAnswer, type Memory } from './memory.ts'
import { becomeSelf, placeParts, prepare, runOn, useClass } from './preconditions.ts'
import { publishOnce } from './publishing.ts'
import { numberOf, rowsOf, SUFFIX } from './records.ts'
import { idOf, readTarget, type Target } from './routes.ts'
import { type Answer, type Around, createWorld, type Ground, type World } from './world.ts'

/** The result of one exchange. */
export interface Outcome {
  readonly exchange: Exchange
  /** The request. */
  readonly sent: string
  readonly answer: Answer
  readonly differences: readonly Difference[]
  /** Why the recorded circumstances could not be recreated. */
  readonly failures: readonly string[]
}

/** Replays a case on the listener: before each exchange its records are created, afterwards shapes are compared. */
export async function replayCase({ by, exchanges }: Case, ground: Ground, memory: Memory): Promise<Outcome[]> {
  let server = ''
  const world = createWorld(ground, (kind, id) => memory.recall(by === 'client' ? exchanges : null, server, kind, id))
  const outcomes: Outcome[] = []
  for (const exchange of exchanges) {
    // Examples are independent of each other: one id may stand for several records.
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
  const asks = exchange.method !== 'DELETE' || target.action === 'bulk'
  const body = asks ? await bodyFor(world, exchange, target, around) : undefined
  await placeParts(world, body)
  if (exchange.status < 300) await fitParts(world, body)
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

/** Finds or creates the records in the path, and yields our ids by kind. */
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
    if ((exchange.status === 404 && (isLast || id === null)) || isUnfound(exchange, segment)) break
    // What a record became is not what it was called by before.
    const isTold = isLast && action === null && (id !== null || exchange.method === 'GET')
    const answered = isTold ? exchange.response : null
    const composite: JsonObject = kind === 'content_view' && COMPONENTS.test(exchange.url) ? { composite: true } : {}
    const said = { ...SOURCES[words], ...composite, ...recordOf(segment, id, kind, answered) }
    const isDeleted = isLast && action === null && exchange.method === 'DELETE' && exchange.by === 'documentation'
    const place = isLast && isElsewhere(exchange) ? {} : around
    const ours = await world.ensure(kind, isDeleted && exchange.status < 300 ? unused(kind, said) : said, place)
    if (ours !== null) around[kind] = ours
    if (kind === 'content_view' && around.organization === undefined)
      Object.assign(around, await besideView(world, around))
  }
  return around
}

/** Tells whether the answer says that there is no record with this id. */
function isUnfound({ status, response }: Exchange, segment: string): boolean {
  return status === 422 && JSON.stringify(response).includes(`with 'id'=${segment}"`)
}

const COMPONENTS = /content_view_components/

let unusedRecords = 0

/** Yields a separate record for an example that deletes one, because others may use the record with that name. */
function unused(kind: string, said: JsonObject): JsonObject {
  if (said.id === undefined || KINDS[kind]?.within !== undefined || said.type !== undefined) return said
  const name = `unused${++unusedRecords}`
  return { id: said.id, name, title: name, login: name, latest_version: null, versions: [] }
}

/** Paths of records that users can only have themselves. */
const OWN = /\/table_preferences/

/** What collections tell about their records. */
const SOURCES: Readonly<Record<string, JsonObject>> = {
  auth_source_externals: { type: 'AuthSourceExternal' },
  auth_source_internals: { type: 'AuthSourceInternal' },
}

/** Finds or creates the records in the query: organizations, locations, environments. */
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

/** Yields what an exchange tells about the record of a path segment. */
function recordOf(segment: string, id: number | null, kind: string, answered: Json): JsonObject {
  const text = decodeURIComponent(segment)
  const named = { name: text, login: text, [KINDS[kind]?.label ?? 'name']: text }
  // What an answer shows of a host is how the request left it: its domain would be a part of the name in the path.
  const isShown = isObject(answered) && numberOf(answered.id) !== null && kind !== 'host'
  if (id === null) return isShown ? { ...answered, ...named } : named
  if (isObject(answered) && numberOf(answered.id) === id) return answered
  // Later servers know settings by their names, and by the numbers that clients of older ones have.
  if (isObject(answered) && answered.id === answered.name && answered.name !== undefined) return { ...answered, id }
  const input = isObject(answered) && isObject(answered.input) ? answered.input[kind] : null
  if (isObject(input)) return input
  const suffix = /^\d+-(.+)$/.exec(text)?.[1]
  return suffix === undefined ? { id } : { id, [SUFFIX]: suffix }
}

/** Creates the records in the answer, so that lists and answers can show them. */
async function ensureSeen(world: World, exchange: Exchange, target: Target, around: Around): Promise<void> {
  const { method, status, response, by } = exchange
  if (target.action === 'product_content') await ensureContent(world, response, target)
  if (target.action === 'content_override') await ensureOverridden(world, exchange)
  if (status >= 300 || target.action !== null || method !== 'GET' || target.collection === null) return
  const kind = kindOf(target.collection, target.prefix)
  for (const row of seenRows(response).slice(0, by === 'client' ? 8 : 3)) {
    if (kind === 'smart_class_parameter') await useClassOf(world, row, around)
    const ours = await world.ensure(kind, row, around)
    if (kind === 'puppetclass' && ours !== null) await useClass(world, ours, around)
    if (kind === 'host' && ours !== null) await runOn(world, ours, around)
  }
}

/** Assigns the class to a host or host group that lists its parameters. */
async function useClassOf(
  world: World,
  { puppetclass_id, puppetclass_name }: JsonObject,
  around: Around,
): Promise<void> {
  const id = await world.ensure('puppetclass', { id: puppetclass_id ?? null, name: puppetclass_name ?? null })
  if (id !== null) await useClass(world, id, around)
}

/** Creates the content that a key may use, in repositories of its organization. */
async function ensureContent(world: World, response: Json, { steps }: Target): Promise<void> {
  const key = world.recall('activation_key', idOf(steps.at(-1)?.segment ?? '') ?? 0)
  for (const { product = null, content } of rowsOf(response)) {
    const name = isObject(content) ? (content.name ?? null) : null
    await world.ensure('repository', { name, product, organization_id: key?.organization_id ?? null })
  }
}

/** Yields the rows of lists that hold ids only. */
function seenRows(response: Json): JsonObject[] {
  const results = isObject(response) ? response.results : null
  const ids = isList(results) ? results.map(numberOf).filter((id) => id !== null) : []
  return ids.length > 0 ? ids.map((id) => ({ id })) : rowsOf(response)
}

function pathFor(world: World, exchange: Exchange, { prefix, steps, collection, action }: Target): string {
  const { status } = exchange
  const parts = [prefix]
  for (const { collection: words, segment } of steps) {
    const id = idOf(segment)
    const ours = id === null ? undefined : world.idFor(kindOf(words, prefix), id)
    const missing =
      id !== null && (status === 404 || isUnfound(exchange, segment)) ? segment.replace(/^\d+/, '999999999') : segment
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

const IN_A_YEAR = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000).toISOString()

/** Builds the recorded body with our ids; records that only the body names are created. */
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
    const kind = isOwn ? own : kindOf(key.replace(/^bulk_/, ''), prefix)
    if (id === null || !(kind in KINDS || world.idFor(kind, id) !== undefined)) return value
    // A composite view consists of versions of other views in its organization.
    const { content_view: _view, ...beside } = inside
    const place = key === 'component_ids' && !isOwn ? beside : inside
    const ours = world.idFor(kind, id) ?? (key === 'id' ? null : await world.ensure(kind, { id }, place))
    if (ours === null) return value
    if (kind === 'content_view' && /^(?:activation_key|host)$/.test(own)) await publishOnce(world, ours)
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
        const within = /^bulk_\w+_ids$/.test(key) ? key : name // `bulk_version_ids: {included: {ids: [1]}}`
        record[name] = name === 'id' ? await nestedId(world, key, own, each) : await walk(each, within)
      }
      // The port of a source may go without saying; that of ours does not.
      return own === 'auth_source' && 'host' in record ? { ...record, ...world.ground.directory } : record
    }
    // A time that was in the future when it was recorded is moved into the future.
    if (key === 'expires_at' && exchange.status < 300 && typeof value === 'string') return IN_A_YEAR
    if (key === 'search' && typeof value === 'string') return searchFor(world, own, value)
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

/** Translates a search by ids, `id ^ (1,2)`, to our ids. */
async function searchFor(world: World, kind: string, search: string): Promise<string> {
  const [whole = '', list = ''] = /^id \^ \(([\d,]+)\)$/.exec(search) ?? []
  const ids: (number | null)[] = []
  for (const id of list.split(',').filter(Boolean)) ids.push(await world.ensure(kind, { id: Number(id) }))
  return whole === '' ? search : `id ^ (${ids.join(',')})`
}

/** Keys that name records of the world. */
const NAMED = new Set(['organization_names', 'location_names'])

/** Translates the id in a nested record, `interfaces_attributes: [{id: 22}]`. */
async function nestedId(world: World, key: string, own: string, value: Json): Promise<Json> {
  const id = numberOf(value)
  const kind =
    key === '' || key === own ? own : kindOf(key.replace(/_attributes$/, '').replace(/^.*_parameters$/, 'parameters'))
  if (id === null) return value
  const isKnown = key === '' || key === own || world.idFor(kind, id) !== undefined || !(kind in KINDS)
  return (isKnown ? world.idFor(kind, id) : await world.ensure(kind, { id })) ?? value
}
