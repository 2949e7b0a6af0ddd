import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Around, Draft, Fields, Rule } from '../../kernel/resource.ts'
import { refuseVersions } from './components.ts'
import { refuseDefault } from './refusals.ts'

/** What kind of view it is stays, and decides what it can have (content-api §8.3). */
export const keptKinds: Rule<Fields> = (record, draft, _ctx, stored): FieldErrors | undefined => {
  const errors: FieldErrors = {}
  for (const field of ['composite', 'label'] as const)
    if (stored && draft[field] !== undefined && draft[field] !== stored[field]) errors[field] = ['cannot be changed.']
  if (record.auto_publish && !record.composite)
    errors.auto_publish = ['cannot be set for a content view that is not composite']
  if (record.import_only && record.composite) errors.import_only = ['cannot be set for a composite content view']
  if (record.composite && count(draft.repositories) > 0)
    errors.repository_ids = ['cannot be set for a composite content view']
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Leaves the default view alone, and keeps what belongs to other organizations out. */
export const keptWhole: Around<Fields> = {
  async create(ctx, draft, next) {
    await refuseContents(ctx, draft, {
      id: null,
      organization: Number(draft.organization),
      composite: draft.composite === true,
    })
    return next(draft)
  },
  async update(ctx, stored, draft, next) {
    refuseDefault(stored)
    await refuseContents(ctx, draft, {
      id: stored.id,
      organization: Number(stored.organization_id),
      composite: stored.composite === true,
    })
    await next(draft)
  },
}

async function refuseContents(
  ctx: Context,
  { repositories, components }: Draft,
  whole: Parameters<typeof refuseVersions>[1],
): Promise<void> {
  await refuseVersions(ctx, whole, (components ?? []) as readonly number[]) // what their fields read
  const foreign = await rows<{ id: number }>(
    ctx.db,
    sql`select r.id from repositories r join products p on p.id = r.product_id
      where r.id = any (${(repositories ?? []) as readonly number[]}::bigint[]) and p.organization_id <> ${whole.organization} order by 1`,
  )
  if (foreign.length > 0) throw invalid({ repository_ids: ['belongs to another organization'] }, whole.id)
}

function count(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}
