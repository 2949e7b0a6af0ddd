import { isDeepStrictEqual } from 'node:util'
import { isMembers, type Members, membersOf, resultsOf } from '../../lib/values.ts'
import type { Target } from '../commands/contexts.ts'
import { askWell } from '../request.ts'

/** What has happened to a record since the switch. */
export interface Change {
  readonly type: string
  readonly id: number
  /** Its name in the last audit. */
  name: string
  isCreated: boolean
  isDeleted: boolean
  /** The values at the switch of the keys that have changed. */
  before: Record<string, unknown>
  /** The values of today of these keys; of new records and deleted ones, all values. */
  after: Record<string, unknown>
}

/** The text that audits have in place of a secret. */
export const REDACTED = '[redacted]'

const PAGE = 250

/** Reads what has changed since a time, in the order of the first changes. Records that came and went are left out. */
export async function readChanges(target: Target, since: string): Promise<Change[]> {
  const known = new Map<string, Change>()
  for await (const audit of listAudits(target, `created_at >= "${since}"`)) apply(known, audit)
  return [...known.values()].filter(
    ({ isCreated, isDeleted, after }) =>
      !(isCreated && isDeleted) && (isCreated || isDeleted || Object.keys(after).length > 0),
  )
}

/** Reads all values of a record from its audits, whenever they were written; null where these are gone. */
export async function readHistory(target: Target, word: string, { type, id }: Change): Promise<Members | null> {
  const known = new Map<string, Change>()
  for await (const audit of listAudits(target, `type = ${word} and auditable_id = ${id}`)) apply(known, audit)
  const change = known.get(`${type} ${id}`)
  return change?.isCreated ? change.after : null
}

/** Lists audits in the order of their ids. */
async function* listAudits(target: Target, search: string): AsyncGenerator<Members> {
  for (let after = 0; ; ) {
    const query = new URLSearchParams({
      search: `${search} and id > ${after}`,
      order: 'id ASC',
      per_page: String(PAGE),
    })
    const { body } = await askWell(target, { method: 'GET', path: `/api/audits?${query}` })
    const results = resultsOf(body)
    yield* results
    const last = Number(results.at(-1)?.['id'] ?? 0)
    if (results.length === 0 || last <= after) return
    after = last
  }
}

function apply(known: Map<string, Change>, audit: Members): void {
  const { action, auditable_type, auditable_id, auditable_name, audited_changes } = audit
  // Who saw hidden values changed nothing.
  if (action === 'reveal') return
  const [type, id] = [String(auditable_type), Number(auditable_id)]
  const change = known.get(`${type} ${id}`) ?? {
    type,
    id,
    name: '',
    isCreated: false,
    isDeleted: false,
    before: {},
    after: {},
  }
  known.set(`${type} ${id}`, change)
  change.name = String(auditable_name ?? id)
  const changes = membersOf(audited_changes)
  if (action === 'update') applyPairs(change, changes)
  else {
    if (action === 'create') change.isCreated = true
    else change.isDeleted = true
    change.after = { ...changes }
  }
}

/** Applies pairs of old and new values. A value that is again as it was at the switch has not changed. */
function applyPairs({ before, after, isCreated }: Change, pairs: Members): void {
  for (const [key, pair] of Object.entries(pairs)) {
    if (!Array.isArray(pair)) continue
    const [former, value] = pair
    if (!isCreated && !(key in before)) before[key] = former
    after[key] = value
    if (isCreated || value === REDACTED || !isDeepStrictEqual(before[key], value)) continue
    delete before[key]
    delete after[key]
  }
}

/** Tells whether a value says nothing, so that a new record gets it without an option. */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === null || value === undefined || value === '' || (isMembers(value) && Object.keys(value).length === 0)
}
