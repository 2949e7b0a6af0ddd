import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type FieldErrors, refuseInvalid } from '../../../errors.ts'
import type { Around, Draft, Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { familyOf } from '../../inventory/index.ts'
import type { OperatingsystemFields } from './fields.ts'

/**
 * Keeps versions of operating systems unique (core-api §11). Constraints guarantee it; this check names the field. New ones
 * without a family get the one that their name tells.
 */
export const operatingsystemWrites: Around<OperatingsystemFields> = {
  async create(ctx, draft, next) {
    await refuseKnown(ctx, draft, null)
    return next({ ...draft, family: draft.family ?? familyOf(String(draft.name)) })
  },
  async update(ctx, stored, draft, next) {
    await refuseKnown(ctx, draft, stored)
    await next(draft)
  },
}

const TAKEN = 'has already been taken'
const KNOWN = 'Operating system version already exists'

/** Refuses a name and version, or a title, that another operating system has. {@throws Failure} invalid */
async function refuseKnown(
  ctx: Context,
  draft: Draft<OperatingsystemFields>,
  stored: Stored<OperatingsystemFields> | null,
): Promise<void> {
  const { name, major, minor = '', description = null } = { ...stored, ...draft }
  const found = await row<{ version: boolean; title: boolean }>(
    ctx.db,
    sql`
      with wanted (name, major, minor, description) as (
        select ${name}::text, ${major}::text, coalesce(${minor}::text, ''), ${description}::text
      ), titled as (
        select *, case when description <> '' then description
          else name || ' ' || major || case when minor = '' then '' else '.' || minor end end as title from wanted
      )
      select coalesce(bool_or((o.name, o.major, o.minor) = (w.name, w.major, w.minor)), false) as version,
        coalesce(bool_or(o.title = w.title), false) as title
      from operatingsystems o join titled w on o.title = w.title or (o.name, o.major, o.minor) = (w.name, w.major, w.minor)
      where o.id is distinct from ${stored?.id ?? null}::bigint`,
  )
  const errors: FieldErrors = { ...(found?.version && { name: [KNOWN] }), ...(found?.title && { title: [TAKEN] }) }
  refuseInvalid(errors, stored?.id ?? null)
}
