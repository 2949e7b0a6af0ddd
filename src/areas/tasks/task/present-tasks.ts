import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import {
  joinConditions,
  limitToVisible,
  permissionOf,
  type Registry,
  type Row,
  type Transform,
} from '../../../kernel/index.ts'
import { type Members, membersOf } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'

/** A record that the input of a task refers to. */
interface NamedRecord {
  readonly kind: string
  readonly id: number
  readonly name: string
}

/**
 * Leaves of tasks what the caller may read. Requesters and administrators see everything. Others see the input only
 * if they may view all records in it, else only ids; of the output only numbers and booleans; and no errors, whose
 * sentences may name things that only the requester may see.
 */
export const presentTasks: Transform = async (ctx, { registry }, records) => {
  const others = await loadIdsOfOthers(ctx, records)
  const seen = await loadVisible(ctx, registry, records.filter(isOf(others)).flatMap(subjectsOf))
  return records.map((record) => {
    if (!isOf(others)(record)) return withSentence(record)
    const isKnown = subjectsOf(record).every(({ kind, id }) => kind === ORGANIZATION || seen.has(`${kind} ${id}`))
    return withSentence({
      ...record,
      input: isKnown ? record.input : { ...toMembers(pickNumbers(record.input)), ...organizationOf(record) },
      output: pickNumbers(record.output),
      humanized: { ...toMembers(record.humanized), errors: hideErrors(toMembers(record.humanized).errors) },
    })
  })
}

const ORGANIZATION = 'organization'
const TOLD = 'Only the user who requested it sees the errors.'

function isOf(tasks: ReadonlySet<unknown>) {
  return ({ id }: Row): boolean => tasks.has(id)
}

/** Loads the ids of those tasks that somebody else requested; none for administrators. */
async function loadIdsOfOthers({ db, user }: Context, records: readonly Row[]): Promise<ReadonlySet<unknown>> {
  if (user.admin || records.length === 0) return new Set()
  const ids = records.map(({ id }) => id)
  const found = await rows<{ id: number }>(
    db,
    sql`select t.id from tasks t where t.id = any (${ids}::bigint[]) and t.user_id is distinct from ${user.id}::bigint`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Loads which records the caller may view, in any scope, as `kind id`; one statement for each kind. */
async function loadVisible(
  ctx: Context,
  registry: Registry,
  named: readonly NamedRecord[],
): Promise<ReadonlySet<string>> {
  const anywhere = { ...ctx, scope: { organization: null, location: null, named: false } }
  const seen = new Set<string>()
  for (const [kind, subjects] of Map.groupBy(named, (each) => each.kind)) {
    const resource = registry.get(kind)
    if (!resource || kind === ORGANIZATION) continue
    const ids = subjects.map(({ id }) => id)
    const found = await rows<{ id: number }>(
      ctx.db,
      sql`select t.id from ${sql.table(resource.table)} t
        where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToVisible(anywhere, resource, permissionOf(resource, 'view')))}`,
    )
    for (const { id } of found) seen.add(`${kind} ${id}`)
  }
  return seen
}

/** Resources by keys of inputs, where these are not the resource's name. */
const KINDS: Readonly<Record<string, string>> = { triggered_by: 'content_view_version' }

/** The records that the input refers to, the organization last. */
function subjectsOf({ input }: Row): (NamedRecord & { readonly word: string })[] {
  const subjects = Object.entries(toMembers(input)).flatMap(([word, value]) => {
    const { id, name } = toMembers(value)
    return typeof id === 'number' && typeof name === 'string' ? [{ word, kind: KINDS[word] ?? word, id, name }] : []
  })
  return subjects.sort((one, other) => Number(one.kind === ORGANIZATION) - Number(other.kind === ORGANIZATION))
}

/** The organization of the input, which is not hidden from anybody who sees the task. */
function organizationOf({ input }: Row): Members {
  const { organization } = toMembers(input)
  return organization === undefined ? {} : { organization }
}

/** Adds the sentence about the task: the action and the names of its records. */
function withSentence(record: Row): Row {
  const texts = subjectsOf(record).map(
    ({ word, name }) => [word, { text: `${word.replaceAll('_', ' ')} '${name}'`, link: null }] as const,
  )
  const about = texts.map(([, { text }]) => text).join('; ')
  return {
    ...record,
    action: about === '' ? record.action : `${record.action} ${about}`,
    humanized: { ...toMembers(record.humanized), input: texts },
  }
}

/** Keeps numbers and booleans of a value, at any depth: ids and counts. */
function pickNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pickNumbers).filter((each) => each !== undefined)
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? undefined : value
  const kept = Object.entries(value).map(([key, each]) => [key, pickNumbers(each)])
  return Object.fromEntries(kept.filter(([, each]) => each !== undefined))
}

function hideErrors(errors: unknown): readonly string[] {
  return Array.isArray(errors) && errors.length > 0 ? [TOLD] : []
}

function toMembers(value: unknown): Members {
  return membersOf(value)
}
