import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type FieldErrors, invalid } from '../../../errors.ts'
import { type Resource, recordAudit } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** The flags that exactly one interface of a host has. */
export const SINGLE = ['primary', 'provision'] as const

/** A flag that exactly one interface of a host has. */
export type Single = (typeof SINGLE)[number]

/** The message when another interface has the flag already, which the database guarantees. */
export const OTHER_THERE: Readonly<Record<Single, string>> = {
  primary: 'host already has primary interface: say of that one, in the same request, that it no longer is',
  provision: 'host already has provision interface: say of that one, in the same request, that it no longer is',
}

const STAYS = 'is what exactly one interface of a host is: choose another one for it instead'

type Flags = Readonly<Record<Single, boolean>>

/** Validates that no flag is cleared: it has to be set on another interface instead. */
export function validateLeaving(draft: Partial<Flags>, stored: Flags | null): FieldErrors | undefined {
  const left = SINGLE.filter((flag) => stored?.[flag] === true && draft[flag] === false)
  return left.length > 0 ? Object.fromEntries(left.map((flag) => [flag, [STAYS]])) : undefined
}

/**
 * Refuses to remove the interface that is the primary or the provisioning one of its host. {@throws Failure} invalid
 */
export function refuseRemoval(stored: Flags & { readonly id: number }): void {
  const kept = SINGLE.filter((flag) => stored[flag] === true)
  if (kept.length > 0) throw invalid(Object.fromEntries(kept.map((flag) => [flag, [STAYS]])), stored.id)
}

/** Clears a flag that another interface of the request gets. */
export async function release(ctx: Context, resource: Resource, host: number, id: number, flag: Single): Promise<void> {
  const former = await row<{ id: number; name: string | null }>(
    ctx.db,
    sql`update interfaces set ${sql.ref(flag)} = false, updated_at = now()
      where id = ${id} and host_id = ${host} and ${sql.ref(flag)} returning id, name`,
  )
  if (former)
    await recordAudit(ctx, resource, 'update', { id: former.id, label: former.name }, { [flag]: [true, false] })
}
