import { loadTrees } from '../areas/places/index.ts'
import { type Context, inTransaction } from '../context.ts'
import { inSavepoint } from '../database/savepoints.ts'
import { Failure } from '../errors.ts'
import { isMembers, type Members } from '../lib/values.ts'
import { ADAPTED, type Body } from './adapt.ts'
import type { Found } from './found.ts'
import type { Member } from './further-members.ts'
import { isTakenLater } from './ids.ts'
import { matchItems, sortItems, toSent, withoutId } from './items.ts'
import { type Entry, type Links, storeEntry } from './journal.ts'
import { computeDigest, isSame, type Part, type Shape } from './members.ts'
import type { OwnRecords } from './own-records.ts'
import type { Outcome } from './report.ts'
import { suggestFix } from './report.ts'
import type { Run } from './run.ts'

/** Takes one record: creates it, changes it, leaves it, or reports why it is refused. Yields its id here. */
export async function takeRecord(run: Run, found: Found): Promise<number | null> {
  const { kind, theirId } = found
  const name = nameOf(found)
  const addRemark = (outcome: Outcome, reason: string, fix = '') =>
    run.reporting.remark(kind.name, { record: name, outcome, reason, fix })
  const wanted = readWanted(run, found, name)
  const theirs = computeTheirDigest(found, wanted)
  try {
    const write = (ctx: Context) => store(run, ctx, found, { wanted, theirs, name })
    const { id, outcome, reason } =
      findUnchanged(found, theirs) ??
      (await (run.ctx.db.isTransaction ? inSavepoint(run.ctx.db, () => write(run.ctx)) : inTransaction(run.ctx, write)))
    run.ids.set(kind, theirId, id)
    if (wanted.later) run.again.add(theirId)
    const isCounted = !run.isSecondRound || run.postponed.delete(formatPostponed(found))
    if (isCounted) run.reporting.count(kind.name, outcome)
    if (reason && isCounted) addRemark(outcome, reason)
    for (const one of isCounted ? wanted.remarks : [])
      addRemark(outcome, one, outcome === 'left' ? '' : suggestFix(one))
    if (outcome === 'created' || outcome === 'changed') await renewTrees(run, found)
    return id
  } catch (error) {
    const reason = describeRefusal(run, error, name, kind.name)
    // What our rules refuse now may fit once later records are taken.
    if (!run.isSecondRound) {
      run.postponed.add(formatPostponed(found))
      run.again.add(theirId)
      return null
    }
    if (run.postponed.delete(formatPostponed(found))) run.reporting.count(kind.name, 'refused')
    addRemark('refused', reason, suggestFix(reason))
    return null
  }
}

function formatPostponed({ kind, theirId }: Found): string {
  return `${kind.name} ${theirId}`
}

interface Stored {
  readonly id: number
  readonly outcome: Outcome
  readonly reason?: string
}

/** Yields a record that is as it was when it was last taken; most of a second import are. */
function findUnchanged({ entry }: Found, theirs: string): Stored | null {
  return entry?.exists && entry.theirs === theirs ? { id: entry.our_id, outcome: 'left' } : null
}

function computeTheirDigest({ also }: Found, { body, parts }: Wanted): string {
  const { password: _unknown, ...told } = body
  return computeDigest([told, parts, also ?? null])
}

interface Storing {
  readonly wanted: Wanted
  /** The digest of the record there. */
  readonly theirs: string
  readonly name: string
}

async function store(run: Run, ctx: Context, found: Found, { wanted, theirs, name }: Storing): Promise<Stored> {
  const { kind, entry, parent, theirId, further } = found
  const { own } = run
  const present = entry && (await own.show(ctx, found, entry.our_id))
  // Other records that were taken may have changed it to what it is there.
  const isElse = () => present && Object.keys(computeChanges(found, wanted, present)).length > 0
  if (entry && present && computeOwnDigest(found.shape, present) !== entry.ours && isElse())
    return {
      id: entry.our_id,
      outcome: 'left',
      reason: 'It changed on both servers; the record here stays as it is.',
    }
  const known = present ? entry?.our_id : await found.match(ctx, wanted.body)
  const id = known ?? (await createAs(run, ctx, found, wanted))
  const before = known === undefined ? null : (present ?? (await own.show(ctx, found, known)))
  const changed = before === null ? [] : await applyDifference(own, ctx, found, { id, wanted, before })
  if (further && (known === undefined || !entry || entry.theirs !== theirs)) await further(ctx, id)
  const after = await own.show(ctx, found, id)
  const next: Entry = {
    kind: kind.name,
    their_id: theirId,
    our_id: id,
    parent_id: parent,
    name,
    created: known === undefined,
    theirs,
    ours: after ? computeOwnDigest(found.shape, after) : '',
    links: after ? listLinks(found.shape, after) : {},
  }
  const refersLater = found.shape.members.some(
    ({ key, target }) => target !== undefined && changed.includes(key) && isTakenLater(target, kind),
  )
  await storeEntry(ctx.db, run.address, next, run.isSecondRound || refersLater)
  if (known === undefined) return { id, outcome: 'created' }
  return changed.length > 0
    ? { id, outcome: 'changed', reason: `It differs in ${changed.join(', ')}.` }
    : { id, outcome: 'left' }
}

async function createAs(run: Run, ctx: Context, found: Found, { body, parts }: Wanted): Promise<number> {
  if (found.kind.how === 'changed') throw new Failure('invalid', 'there is no such record here')
  const whole = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  for (const [key, items] of Object.entries(parts)) if (items.length > 0) whole[key] = items.map(toSent)
  await run.beforeCreate(ctx, found)
  const id = await run.own.create(ctx, found, whole)
  if (found.kind.name !== 'smart_class_parameter') return id
  const made = await run.own.show(ctx, found, id)
  if (made) await applyDifference(run.own, ctx, found, { id, wanted: { body, parts }, before: made })
  return id
}

interface Difference {
  readonly id: number
  readonly wanted: Pick<Wanted, 'body' | 'parts'>
  readonly before: Members
}

/** Writes the keys that differ, and yields them. */
async function applyDifference(
  own: OwnRecords,
  ctx: Context,
  found: Found,
  { id, wanted, before }: Difference,
): Promise<readonly string[]> {
  const changes = computeChanges(found, wanted, before)
  const keys = Object.keys(changes)
  if (keys.length > 0) await own.update(ctx, found, id, changes)
  return keys
}

function computeChanges(found: Found, wanted: Difference['wanted'], before: Members): Body {
  const present = readOwn(found.shape, before)
  // Without this, the class alone says what its parameter is.
  if (found.kind.name === 'smart_class_parameter' && !wanted.body.override && !present.body.override) return {}
  const changes: Body = {}
  const { name: kind, adds = [], atCreation = [] } = found.kind
  for (const [key, told] of Object.entries(wanted.body)) {
    if (key === 'password' || ONLY_AT_CREATION.has(`${kind}.${key}`) || atCreation.includes(key)) continue
    const there = present.body[key] ?? before[key]
    const value = adds.includes(key) ? addItems(there, told) : told
    if (!isSame(value, there)) changes[key] = value
  }
  for (const [key, items] of Object.entries(wanted.parts)) {
    const there = present.parts[key] ?? []
    if (!isSame(sortItems(items), sortItems(there.map(withoutId)))) changes[key] = matchItems(items, there)
  }
  return changes
}

function addItems(there: unknown, told: unknown): unknown {
  return Array.isArray(there) && Array.isArray(told) ? [...new Set([...there, ...told])] : told
}

/** Keys that no update sends: they never change. */
const ONLY_AT_CREATION: ReadonlySet<string> = new Set([
  'smart_class_parameter.parameter',
  'smart_class_parameter.configclass_id',
  'smart_class_parameter.environment_ids',
  'organization.label',
  'compute_resource.provider',
  'user.auth_source_id',
])

/** The body that a record of the old server stands for here. */
interface Wanted {
  readonly body: Body
  readonly parts: Readonly<Record<string, Body[]>>
  /** Whether it refers to records that are taken later. */
  readonly later: boolean
  readonly remarks: readonly string[]
}

function readWanted(run: Run, found: Found, name: string): Wanted {
  const { kind, shape, record } = found
  const remarks: string[] = []
  let later = false
  const map = (target: string, theirs: unknown, key: string): Mapped => {
    const ours = typeof theirs === 'number' ? run.ids.get(target, theirs) : undefined
    if (ours !== undefined) return ours
    if (!run.isSecondRound && isTakenLater(target, kind)) {
      later = true
      return 'later'
    }
    remarks.push(`${key} is left out: the ${target.replaceAll('_', ' ')} ${String(theirs)} was not taken.`)
    return undefined
  }
  const readAll = (members: readonly Member[], from: Members): Body => {
    const body: Body = {}
    for (const { key, read, target, translate } of members) {
      const value = read(from)
      if (value === undefined) continue
      const mapThis = (to: string, id: unknown) => map(to, id, key)
      if (translate) body[key] = translate(value, (to, id) => numberOf(mapThis(to, id)))
      else if (!target || value === null) body[key] = value
      else {
        const ours = Array.isArray(value)
          ? mapAll(value, (id) => mapThis(target, id))
          : numberOf(mapThis(target, value))
        if (ours !== undefined) body[key] = ours
      }
    }
    return body
  }
  const body = readAll(shape.members, record)
  const hide = (key: string) => run.reporting.miss({ kind: kind.name, record: name, key })
  const parts = readParts(shape.parts, record, readAll, hide)
  Object.assign(body, parts)
  ADAPTED[kind.name]?.(body, {
    record,
    ids: run.ids,
    isNew: found.entry === undefined,
    remark: (reason) => remarks.push(reason),
  })
  for (const key of Object.keys(parts)) delete body[key]
  for (const [key, told] of Object.entries(kind.secrets ?? {})) if (record[told]) hide(key)
  if (isMask(body.value)) {
    delete body.value
    hide('value')
  }
  return { body, parts, later, remarks }
}

type Mapped = number | 'later' | undefined

function numberOf(mapped: Mapped): number | undefined {
  return mapped === 'later' ? undefined : mapped
}

/** Maps ids; undefined while some of them lead to records that are taken later. */
function mapAll(ids: readonly unknown[], map: (id: unknown) => Mapped): readonly number[] | undefined {
  const ours = ids.map(map)
  return ours.includes('later') ? undefined : ours.filter((id) => typeof id === 'number')
}

type ReadAll = (members: readonly Member[], from: Members) => Body

/** Reads lists of parts, without parameters that a place only inherits; hidden values that are not shown are missed. */
function readParts(
  parts: readonly Part[],
  record: Members,
  readAll: ReadAll,
  hide: (key: string) => void,
): Record<string, Body[]> {
  const lists = parts.flatMap(({ key, shown, members }): [string, Body[]][] => {
    const list = record[shown]
    if (!Array.isArray(list)) return []
    const own = list.filter(isMembers).filter(({ inherited }) => inherited !== true)
    return [[key, own.map((item) => hideMasked(readAll(members, item), hide))]]
  })
  return Object.fromEntries(lists)
}

function hideMasked(item: Body, hide: (key: string) => void): Body {
  if (!isMask(item.value)) return item
  hide(`parameter ${String(item.name)}`)
  return { ...item, value: '' }
}

function isMask(value: unknown): boolean {
  return value === '*****'
}

/** Reads a record of this service in the same form, with the ids of its parts. */
function readOwn({ members, parts }: Shape, record: Members): { body: Body; parts: Readonly<Record<string, Body[]>> } {
  const read = (list: readonly Member[], from: Members) =>
    Object.fromEntries(list.map((member) => [member.key, member.read(from)]))
  const lists = parts.map(({ key, shown, members: inner }): [string, Body[]] => {
    const items = Array.isArray(record[shown]) ? (record[shown] as unknown[]).filter(isMembers) : []
    return [
      key,
      items.filter(({ inherited }) => inherited !== true).map((item) => ({ ...read(inner, item), id: item.id })),
    ]
  })
  return { body: read(members, record), parts: Object.fromEntries(lists) }
}

/**
 * Computes the digest of a record here, by which an undo knows whether somebody has changed it. `gone` are links to add: they
 * went with the records that they led to.
 */
export function computeOwnDigest(shape: Shape, record: Members, gone: Links = {}): string {
  const { body, parts } = readOwn(shape, record)
  for (const [key, ids] of Object.entries(gone)) {
    const there = body[key]
    if (Array.isArray(there)) body[key] = [...there, ...ids]
    else if (there === null) body[key] = ids[0]
  }
  return computeDigest([body, Object.values(parts).map((items) => sortItems(items.map(withoutId)))])
}

/** Lists the ids of the links of a record here. */
export function listLinks(shape: Shape, record: Members): Links {
  const { body } = readOwn(shape, record)
  const links = shape.members.flatMap(({ key, target }) => {
    const ids = [body[key]].flat().filter((id) => typeof id === 'number')
    return target && ids.length > 0 ? [[key, ids] as const] : []
  })
  return Object.fromEntries(links)
}

function nameOf({ kind, record, theirId }: Found): string {
  const name = record.title ?? record.name ?? record.login ?? record.parameter ?? record.match
  return typeof name === 'string' && name !== '' ? name : `${kind.name} ${theirId}`
}

/** The reason of a refusal in words. {@throws} what ends the import, such as a database that is gone */
function describeRefusal(run: Run, error: unknown, record: string, kind: string): string {
  if (error instanceof Failure && error.code !== 'unavailable') {
    const { errors } = error.details
    const said = Object.entries(errors ?? {}).map(([field, messages]) =>
      field === 'base' ? messages.join(', ') : `${field} ${messages.join(', ')}`,
    )
    return said.length > 0 ? said.join('; ') : error.message
  }
  if (error instanceof Failure) throw error
  run.ctx.log.error({ err: error, kind, record }, 'a record could not be imported')
  return 'a fault of this service, see its log'
}

async function renewTrees(run: Run, { kind }: Found): Promise<void> {
  if (kind.name === 'organization' || kind.name === 'location')
    run.ctx = { ...run.ctx, trees: await loadTrees(run.ctx.db) }
}
