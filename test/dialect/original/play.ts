import { isObject, type Json } from '../replay/exchanges.ts'
import { numberOf } from '../replay/records.ts'
import type { Answer, Ground, Say } from '../replay/world.ts'
import type { Line, Section } from './lines.ts'

/** The answer to a line here. */
export interface Played {
  readonly line: Line
  /** Method and URL as they were sent. */
  readonly sent: string
  readonly answer: Answer
  /** Our ids by the recorded ones, as far as they are known. */
  readonly ids: ReadonlyMap<number, number>
}

/** Puts records into the default organization and location. */
const PLACED = { organization_ids: [1], location_ids: [1] }

/** Records to create before the lines of a group, because the recorded lists show them. */
const BEFORE: Readonly<Record<string, readonly unknown[]>> = {
  architectures: [{ name: 'x86_64' }],
  domains: many((n) => ({ name: `dc${n}.corp.test` })),
  subnets: many((n) => ({ name: `net-${n}`, network: `10.${n}.0.0`, mask: '255.255.0.0' })),
  common_parameters: many((n) => ({ name: `global.${n}`, value: 'v', hidden_value: n === 0 })),
  hostgroups: many((n) => ({ name: `hg${n}` })),
  users: many((n) => ({ login: `u${n}`, password: 'secret-password', auth_source_id: 1, ...PLACED })),
  usergroups: [{ name: 'Group 0' }, { name: 'Group 1' }],
  roles: many((n) => ({ name: `Role ${n}` })),
}

/** Yields more records than fit on a page. */
function many(record: (n: number) => unknown): unknown[] {
  return Array.from({ length: 21 }, (_, n) => record(n))
}

/** Groups recorded while only the default organization and location existed; new records of later groups lie in none. */
const PLACED_BEFORE = ['organizations', 'locations', 'architectures', 'operatingsystems', 'media', 'ptables']

/** Sends the lines of a section to a service in its state after installation. */
export async function playSection({ group, lines }: Section, ground: Ground): Promise<Played[]> {
  if (!PLACED_BEFORE.includes(group) || group === 'organizations')
    await ground.send('POST', '/api/organizations', { name: 'Acme' })
  if (!PLACED_BEFORE.includes(group) || group === 'locations')
    await ground.send('POST', '/api/locations', { name: 'Europe' })
  for (const record of BEFORE[group] ?? []) await ground.send('POST', `/api/${group}`, record)
  const names = new Map<string, number>([
    ['org1', 1],
    ['loc1', 2],
  ])
  await findPlaces(ground, names)
  const ids = new Map<number, number>()
  const played: Played[] = []
  for (const [index, line] of lines.entries()) {
    const one = await play(line, ground.say, names, ids)
    played.push(one)
    const made = madeBy(one)
    if (made === null) continue
    const recorded = isObject(line.answer) ? numberOf(line.answer.id) : null
    if (recorded !== null) ids.set(recorded, made)
    if (line.keep !== undefined) names.set(line.keep, made)
    names.set('tmp', made)
    const isCleaned = lines[index + 1]?.label === 'cleanup'
    if (line.keep === undefined && !isCleaned) await ground.send('DELETE', `${line.path.replace(/\?.*/, '')}/${made}`)
  }
  return played
}

async function findPlaces({ send }: Ground, names: Map<string, number>): Promise<void> {
  for (const [name, path] of PLACES) {
    const { body } = await send('GET', path)
    const id = isObject(body) && Array.isArray(body.results) ? numberOf(body.results[0]?.id) : null
    if (id !== null) names.set(name, id)
  }
}

const PLACES = [
  ['org1', '/api/organizations?search=name="Default Organization"'],
  ['loc1', '/api/locations?search=name="Default Location"'],
] as const

async function play(
  line: Line,
  say: Say,
  names: ReadonlyMap<string, number>,
  ids: ReadonlyMap<number, number>,
): Promise<Played> {
  const { method, path, query, body, raw, headers: said = {} } = line
  const [bare = '', inPath] = filled(path, names).split('?')
  const search = new URLSearchParams(inPath)
  for (const [key, value] of Object.entries(query ?? {})) search.set(key, String(filledIn(value, names)))
  const asked = search.size > 0 ? `?${search}` : ''
  const url = bare.split('/').map(encodeSegment).join('/') + asked
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(said)) {
    if (value === null) delete headers[name.toLowerCase()]
    else headers[name.toLowerCase()] = value
  }
  const payload = raw === undefined ? undefined : bytesOf(raw)
  const text = body === undefined ? payload : JSON.stringify(filledIn(body, names))
  const answer = await say({ method, url, headers, ...(text !== undefined && { payload: text }) })
  return { line, sent: `${method} ${url}`, answer, ids: new Map(ids) }
}

/** Decodes bytes that are not text, which were recorded as a Python literal. */
function bytesOf(raw: string): string | Buffer {
  const literal = /^b'((?:\\x[0-9a-f]{2})+)'$/.exec(raw)?.[1]
  return literal === undefined ? raw : Buffer.from(literal.replaceAll('\\x', ''), 'hex')
}

function encodeSegment(segment: string): string {
  return /%[0-9a-f]{2}/i.test(segment) ? segment : encodeURIComponent(segment).replaceAll('%2C', ',')
}

function filled(text: string, names: ReadonlyMap<string, number>): string {
  return text.replace(/\{(x\d|tmp|org1|loc1)\}/g, (_all, name: string) => String(names.get(name) ?? UNKNOWN))
}

/** Fills in names; ids that were numbers stay numbers. */
function filledIn(value: Json, names: ReadonlyMap<string, number>): Json {
  if (typeof value === 'string') {
    const whole = /^(?:@(org1|loc1)|\{(x\d|tmp|org1|loc1)\})$/.exec(value)
    const name = whole?.[1] ?? whole?.[2]
    return name === undefined ? filled(value, names) : (names.get(name) ?? UNKNOWN)
  }
  if (Array.isArray(value)) return value.map((each) => filledIn(each, names))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, names)]))
}

/** Stands for the id of a record that could not be created. */
export const UNKNOWN = 999_999_999

function madeBy({ line, answer }: Played): number | null {
  const isCreation = line.method === 'POST' && answer.status < 300 && isObject(answer.body)
  return isCreation && isObject(answer.body) ? numberOf(answer.body.id) : null
}
