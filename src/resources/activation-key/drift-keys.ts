import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import type { Resource } from '../../kernel/resource.ts'
import type { Difference, Drifting } from './drift-differences.ts'

/** A host with its differences, as a caller reads them. */
export interface SeenDrifting extends Pick<Drifting, 'id' | 'name'> {
  readonly differences: readonly (Omit<Difference, 'key'> & {
    readonly key: { readonly id: number | null; readonly name: string } | null
  })[]
}

/** Names only those of the deciding keys that the caller may view: hosts of one key may have others, too. One statement. */
export async function withSeenKeys(
  ctx: Context,
  keys: Resource,
  drifting: readonly Drifting[],
): Promise<SeenDrifting[]> {
  const ids = new Set(drifting.flatMap(({ differences }) => differences.flatMap(({ key }) => key?.id ?? [])))
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from activation_keys t
      where t.id = any (${[...ids]}::bigint[]) and ${where(visible(ctx, keys, 'view_activation_keys'))}`,
  )
  const seen = new Set(found.map(({ id }) => id))
  return drifting.map(({ id, name, differences }) => ({
    ...{ id, name },
    differences: differences.map(({ key, ...difference }) => ({
      ...difference,
      key: key === null || seen.has(key.id) ? key : ANOTHER,
    })),
  }))
}

const ANOTHER = { id: null, name: 'another key' }
