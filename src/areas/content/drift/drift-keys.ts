import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { joinConditions, limitToVisible, type Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { DriftingHost, HostDifference } from './drift-differences.ts'

/** A host with its differences, as the caller may read them. */
export interface VisibleDriftingHost extends Pick<DriftingHost, 'id' | 'name'> {
  readonly differences: readonly (Omit<HostDifference, 'key'> & {
    readonly key: { readonly id: number | null; readonly name: string } | null
  })[]
}

/**
 * Removes the names of deciding keys that the caller may not view: hosts of a visible key may have invisible ones, too.
 * One statement.
 */
export async function withVisibleKeys(
  ctx: Context,
  keys: Resource,
  drifting: readonly DriftingHost[],
): Promise<VisibleDriftingHost[]> {
  const ids = new Set(drifting.flatMap(({ differences }) => differences.flatMap(({ key }) => key?.id ?? [])))
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from activation_keys t
      where t.id = any (${[...ids]}::bigint[]) and ${joinConditions(limitToVisible(ctx, keys, 'view_activation_keys'))}`,
  )
  const seen = new Set(found.map(({ id }) => id))
  return drifting.map(({ id, name, differences }) => ({
    id,
    name,
    differences: differences.map(({ key, ...difference }) => ({
      ...difference,
      key: key === null || seen.has(key.id) ? key : ANOTHER,
    })),
  }))
}

const ANOTHER = { id: null, name: 'another key' }
