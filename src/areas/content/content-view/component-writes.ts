import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { ComponentFields } from './component-fields.ts'

/** The message for a component that neither names a version nor follows the latest one. */
export const EITHER = 'Must select either a version or latest'

/**
 * Completes components: each has either a fixed version or follows the latest one. Setting one of these clears the
 * other.
 */
export const componentWrites: WriteWrapper<ComponentFields> = {
  async update(ctx, stored, draft, next) {
    const before = { version: stored.content_view_version_id, latest: stored.latest }
    const version = draft.content_view_version === undefined ? before.version : draft.content_view_version
    const chooses = typeof draft.content_view_version === 'number' && draft.latest !== true
    const latest = chooses ? false : (draft.latest ?? before.latest)
    if (!latest && version === null) throw invalid({ base: [EITHER] }, stored.id)
    if (!latest && version !== null) await requireVersionOf(ctx, stored.content_view_id, version, stored.id)
    await next({ ...draft, content_view_version: latest ? null : version, latest })
  },
}

/** Refuses a version of another view. {@throws Failure} invalid */
export async function requireVersionOf(tx: Context, view: number, version: number, id: number | null): Promise<void> {
  const found = await row(
    tx.db,
    sql`select id from content_view_versions where id = ${version} and content_view_id = ${view}`,
  )
  if (!found) throw invalid({ content_view_version_id: ['is no version of the content view'] }, id)
}
