import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { Failure, type FieldErrors } from '../../../errors.ts'
import { compareAuditedValues, recordAudit } from '../../../kernel/audit.ts'
import type { Around, Resource, Rule } from '../../../kernel/definition.ts'
import { labelOf, lock } from '../../../kernel/operations/change.ts'
import type { Draft, Stored } from '../../../kernel/record.ts'
import { updateRecord } from '../../../kernel/store/write.ts'

/** What is refused to change: where an environment stands, and what the Library is called (content-api §8.2). */
export const validateLifecyclePosition: Rule = (_record, draft, _ctx, stored): FieldErrors | undefined => {
  if (!stored) return undefined
  if (draft.prior !== undefined && draft.prior !== stored.prior_id) return { prior_id: ['cannot be changed.'] }
  const renamed = draft.name !== undefined && draft.name !== stored.name
  return stored.library && renamed ? { name: ['of the Library cannot be changed.'] } : undefined
}

/** Keeps the chains whole: only the Library branches, and nothing that is in use or in the middle goes. */
export const lifecycleEnvironmentWrites: Around = {
  async create(ctx, draft, next, resource) {
    if (typeof draft.prior !== 'number') throw new Failure('bad_parameter', 'Missing values for prior_id.')
    const successor = await successorOf(ctx, draft.prior)
    const id = await next(draft)
    if (successor !== undefined) await relink(ctx, resource, successor, id)
    return id
  },
  async update(_ctx, _stored, draft, next) {
    // Clients send the label they know beside what they change; it stays what it is.
    const { label: _label, ...changed }: Draft = draft
    await next(changed)
  },
  async delete(ctx, stored, next) {
    await refuseWhileNeeded(ctx, stored)
    await next()
  },
}

/** What comes after the environment that the new one is put behind; the Library goes on with any number of chains. */
async function successorOf(ctx: Context, prior: number): Promise<number | undefined> {
  // Whoever else puts something behind the same one waits until this is done.
  const found = await row<{ library: boolean }>(
    ctx.db,
    sql`select library from lifecycle_environments where id = ${prior} for no key update`,
  )
  if (!found || found.library) return undefined
  const after = await row<{ id: number }>(ctx.db, sql`select id from lifecycle_environments where prior_id = ${prior}`)
  return after?.id
}

/** Inserting is what the caller may do: nobody needs the right to change what comes after it. */
async function relink(ctx: Context, resource: Resource, successor: number, prior: number): Promise<void> {
  const stored = await lock(ctx, resource, successor)
  await updateRecord(ctx, resource, successor, { prior })
  const record = { id: successor, label: labelOf(resource, stored) }
  await recordAudit(ctx, resource, 'update', record, compareAuditedValues(resource, stored, { prior }))
}

/** {@throws Failure} bad_parameter for the Library, for one with a successor, and while hosts or keys use it */
async function refuseWhileNeeded(ctx: Context, { id, name, library }: Stored): Promise<void> {
  if (library) throw refusal('Library lifecycle environments may not be deleted.')
  const users = await rows<{ kind: 'successor' | 'hosts' | 'keys' }>(
    ctx.db,
    sql`
      select 'successor' as kind where exists (select from lifecycle_environments e where e.prior_id = ${id})
      union all select 'hosts' where exists (select from host_environments h where h.environment_id = ${id})
      union all select 'keys' where exists (select from activation_keys k where k.environment_id = ${id})
        or exists (select from activation_key_environments k where k.environment_id = ${id})`,
  )
  if (users.length > 0) throw refusal(users.map(({ kind }) => REASONS[kind](String(name))).join(' '))
}

const REASONS = {
  successor: (name: string) =>
    `Lifecycle Environment ${name} has a successor. Only the last lifecycle environment on a path can be deleted.`,
  hosts: (name: string) =>
    `Lifecycle Environment ${name} has associated Hosts. Please unregister or move the associated Hosts before removing this lifecycle environment.`,
  keys: (name: string) =>
    `Lifecycle Environment ${name} has associated Activation Keys. Please change or remove the associated Activation Keys before removing this lifecycle environment.`,
}

function refusal(message: string): Failure {
  return new Failure('bad_parameter', message)
}
