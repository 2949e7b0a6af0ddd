import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { Failure, type FieldErrors } from '../../../errors.ts'
import { lock, type Resource, type Rule, type Stored, storeChange, type WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { EnvironmentFields } from './fields.ts'

/** Refuses to move an environment and to rename the Library (content-api §8.2). */
export const validateLifecyclePosition: Rule<EnvironmentFields> = (
  _record,
  draft,
  _ctx,
  stored,
): FieldErrors | undefined => {
  if (!stored) return undefined
  if (draft.prior !== undefined && draft.prior !== stored.prior_id) return { prior_id: ['cannot be changed.'] }
  const renamed = draft.name !== undefined && draft.name !== stored.name
  return stored.library && renamed ? { name: ['of the Library cannot be changed.'] } : undefined
}

/**
 * Keeps paths whole: only the Library may have several successors, and environments that are used or have a successor
 * cannot be deleted.
 */
export const lifecycleEnvironmentWrites: WriteWrapper<EnvironmentFields> = {
  async create(ctx, draft, next, resource) {
    if (!draft.prior) throw new Failure('bad_parameter', 'Missing values for prior_id.')
    const successor = await findSuccessor(ctx, draft.prior)
    const id = await next(draft)
    if (successor !== undefined) await relink(ctx, resource, successor, id)
    return id
  },
  async update(_ctx, _stored, draft, next) {
    // Clients send the label with other changes; it is ignored, because it never changes.
    const { label: _label, ...changed } = draft
    await next(changed)
  },
  async delete(ctx, stored, next) {
    await refuseWhileNeeded(ctx, stored)
    await next()
  },
}

/**
 * Finds the environment that is to follow the new one: the successor of `prior`, but none after the Library, which may
 * have several.
 */
async function findSuccessor(ctx: Context, prior: number): Promise<number | undefined> {
  // The lock lets insertions after the same environment wait for each other.
  const found = await row<{ library: boolean }>(
    ctx.db,
    sql`select library from lifecycle_environments where id = ${prior} for no key update`,
  )
  if (!found || found.library) return undefined
  const after = await row<{ id: number }>(ctx.db, sql`select id from lifecycle_environments where prior_id = ${prior}`)
  return after?.id
}

/**
 * Puts the new environment before the successor, as the service: inserting needs no permission to edit the successor.
 */
async function relink(ctx: Context, resource: Resource, successor: number, prior: number): Promise<void> {
  const stored = await lock(ctx, resource, successor)
  await storeChange(ctx, resource, stored, { prior })
}

/**
 * Refuses to delete the Library, an environment with a successor, or one that hosts or keys use. {@throws Failure}
 * bad_parameter
 */
async function refuseWhileNeeded(ctx: Context, { id, name, library }: Stored<EnvironmentFields>): Promise<void> {
  if (library) throw createRefusal('Library lifecycle environments may not be deleted.')
  const users = await rows<{ kind: 'successor' | 'hosts' | 'keys' }>(
    ctx.db,
    sql`
      select 'successor' as kind where exists (select from lifecycle_environments e where e.prior_id = ${id})
      union all select 'hosts' where exists (select from host_environments h where h.environment_id = ${id})
      union all select 'keys' where exists (select from activation_keys k where k.environment_id = ${id})
        or exists (select from activation_key_environments k where k.environment_id = ${id})`,
  )
  if (users.length > 0) throw createRefusal(users.map(({ kind }) => REASONS[kind](String(name))).join(' '))
}

const REASONS = {
  successor: (name: string) =>
    `Lifecycle Environment ${name} has a successor. Only the last lifecycle environment on a path can be deleted.`,
  hosts: (name: string) =>
    `Lifecycle Environment ${name} has associated Hosts. Please unregister or move the associated Hosts before removing this lifecycle environment.`,
  keys: (name: string) =>
    `Lifecycle Environment ${name} has associated Activation Keys. Please change or remove the associated Activation Keys before removing this lifecycle environment.`,
}

function createRefusal(message: string): Failure {
  return new Failure('bad_parameter', message)
}
