import { z } from 'zod'
import { type Context, hasPermission, inTransaction } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { denied, Failure, type FieldErrors, invalid, notFound, refuseInvalid } from '../../../errors.ts'
import {
  create,
  findResource,
  joinConditions,
  limitToVisible,
  lock,
  permissionOf,
  type Registry,
  type Resource,
  readAuditedValues,
  remove,
  update,
} from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import { limitToAuditsOfSeen } from '../../../records/audited-records.ts'
import { textParameter } from '../../../requests/paging.ts'
import type { Answer, Input, Route } from '../../../requests/route.ts'
import { readIdSegment, toBoolean } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { readChanges } from '../feed/cloud-event.ts'
import { listKindsByRecord } from '../feed/kinds.ts'
import { VIEW_EVENTS } from '../feed/read-events.ts'
import { isSameValue, REDACTED } from './rebuild.ts'

const REVERTED = z.object({
  action: z.enum(['create', 'update', 'destroy']).meta({ description: 'What is done to take the change back.' }),
  preview: z.boolean().meta({ description: 'Whether nothing was stored.' }),
  changes: z
    .record(z.string(), z.array(z.unknown()).min(2).max(2))
    .meta({ description: 'Values now and after it, by field.' }),
  record: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'The record as its routes answer it; null for a preview.' }),
})

/** Builds the route that takes the change of an audit back, by the rules of the record's own routes. */
export function revertRoute(registry: Registry): Route {
  return {
    method: 'POST',
    path: '/api/audits/:id/revert',
    id: 'audits.revert',
    group: 'audits',
    resource: 'audit',
    summary: 'Take a change back: restore earlier values, or a deleted record, or delete a new one',
    notInBatch: true,
    invalidates: 'identities',
    access: { kind: 'permission', anyOf: [VIEW_EVENTS], own: false },
    query: z.object({ preview: textParameter('True: store nothing.', 'true') }),
    answers: { 200: REVERTED },
    handle: (ctx, input) => revert(ctx, registry, input),
  }
}

interface StoredAudit {
  readonly action: 'create' | 'update' | 'destroy'
  readonly type: string
  readonly recordId: number
  readonly version: number
  readonly isLast: boolean
  readonly changes: unknown
}

async function revert(ctx: Context, registry: Registry, input: Input): Promise<Answer> {
  const id = readIdSegment(input)
  const found = await loadAudit(ctx, registry, id)
  if (!found) throw notFound('audit', id)
  const { action: happened } = found
  if (happened === 'reveal') throw invalid({ base: ['nothing was changed: somebody saw hidden values'] })
  const audit: StoredAudit = { ...found, action: happened }
  const resource = listKindsByRecord(registry).get(`${audit.type} ${audit.action}`)?.resource
  const verb = { create: 'destroy', update: 'edit', destroy: 'create' } as const
  if (!resource || !isRevertible(resource, audit.action))
    throw invalid({ base: [`changes of this kind of record cannot be taken back: ${audit.type}`] })
  const permission = permissionOf(resource, verb[audit.action])
  if (!hasPermission(ctx, permission)) throw denied([permission])
  const isPreview = toBoolean(input.query.preview) === true
  return inTransaction(ctx, async (tx) => {
    const changes = await computeReversal(tx, resource, audit)
    const action = REVERSE[audit.action]
    const record = isPreview ? null : await apply(tx, resource, audit, changes)
    return { status: 200, body: { action, preview: isPreview, changes, record } }
  })
}

const REVERSE = { create: 'destroy', update: 'update', destroy: 'create' } as const
const OPERATION = { create: 'delete', update: 'update', destroy: 'create' } as const

function isRevertible({ operations, nestedOnly, routeFacts }: Resource, action: StoredAudit['action']): boolean {
  return operations.includes(OPERATION[action]) && !nestedOnly && routeFacts.invalidates !== 'settings'
}

type FoundAudit = Omit<StoredAudit, 'action'> & { readonly action: StoredAudit['action'] | 'reveal' }

function loadAudit(ctx: Context, registry: Registry, id: string): Promise<FoundAudit | undefined> {
  const seen = joinConditions([
    ...limitToVisible(ctx, findResource(registry, 'audit'), VIEW_EVENTS),
    ...limitToAuditsOfSeen(ctx, registry),
  ])
  return row<FoundAudit>(
    ctx.db,
    sql`select t.action, t.auditable_type as type, t.auditable_id as "recordId", t.version, t.audited_changes as changes,
        not exists (select from audits l where l.auditable_type = t.auditable_type and l.auditable_id = t.auditable_id
          and l.version > t.version and l.action <> 'reveal') as "isLast"
      from audits t where t.id = ${/^\d{1,15}$/.test(id) ? Number(id) : 0}::bigint and ${seen}`,
  )
}

type Changes = Readonly<Record<string, readonly unknown[]>>

/** Computes what takes a change back; refuses what is not known, or was changed later. {@throws Failure} invalid, not_found */
async function computeReversal(tx: Context, resource: Resource, audit: StoredAudit): Promise<Changes> {
  const pairs = readChanges(audit.action, isMembers(audit.changes) ? audit.changes : {})
  if (audit.action === 'create') {
    await lock(tx, resource, audit.recordId)
    if (!audit.isLast) throw invalid({ base: ['the record was changed later: take these changes back first'] })
    return swapPairs(pairs)
  }
  const set = new Set(Object.keys(resource.writable))
  // A deleted record is created anew, with what can be sent and has a value.
  if (audit.action === 'destroy') {
    const kept = Object.entries(pairs).filter(([key, [value]]) => set.has(key) && value !== null && value !== REDACTED)
    return swapPairs(Object.fromEntries(kept))
  }
  const now = readAuditedValues(resource, await lock(tx, resource, audit.recordId))
  const errors: FieldErrors = {}
  for (const [key, pair] of Object.entries(pairs)) {
    if (pair.includes(REDACTED)) errors[key] = ['is secret: its earlier value is not known']
    else if (!set.has(key)) errors[key] = ['cannot be set by a request']
    else if (!isSameValue(now[key], pair[1]))
      errors[key] = [
        `was changed later: it is ${JSON.stringify(now[key] ?? null)} now, and was ${JSON.stringify(pair[1])} after this change`,
      ]
  }
  refuseInvalid(errors, audit.recordId)
  return swapPairs(pairs)
}

function swapPairs(pairs: Changes): Changes {
  return Object.fromEntries(Object.entries(pairs).map(([key, [before, after]]) => [key, [after, before]]))
}

/** Applies a reversal by the routes of the record. {@throws Failure} theirs; what only their surface answers as invalid */
async function apply(tx: Context, resource: Resource, audit: StoredAudit, changes: Changes): Promise<unknown> {
  try {
    return (await send(tx, resource, audit, changes)).body
  } catch (error) {
    // Content refuses deletions so; here no parameter was wrong.
    if (error instanceof Failure && error.code === 'bad_parameter')
      throw invalid({ base: [error.message] }, audit.recordId)
    throw error
  }
}

function send(tx: Context, resource: Resource, { action, recordId }: StoredAudit, changes: Changes): Promise<Answer> {
  const values = Object.fromEntries(Object.entries(changes).map(([key, [, after]]) => [key, after]))
  const input: Input = { params: { id: String(recordId) }, query: {}, body: { [resource.word]: values } }
  if (action === 'create') return remove(tx, resource, input)
  if (action === 'update') return update(tx, resource, input)
  return create(tx, resource, { ...input, params: {} })
}
