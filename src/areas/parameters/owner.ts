import type { Context } from '../../context.ts'
import { row, rows } from '../../database/sql.ts'
import { parentNotFound } from '../../errors.ts'
import {
  type Field,
  joinConditions,
  limitToVisible,
  permissionOf,
  type Resource,
  type Sent,
  type Stored,
  type Unstored,
} from '../../kernel/index.ts'
import { type Item, parts } from '../../records/parts.ts'
import { sql } from '../../sql.ts'
import { buildParametersSchema } from './columns.ts'
import { selectOwnParameters } from './effective.ts'
import { LEVELS, levelOf, type ParameterOwner } from './levels.ts'

const REPEATED = 'Please ensure the following parameters name are unique'

/**
 * The field `parameters` of a resource whose records have parameters: shown as a list of objects, written by items of
 * `<…>_attributes`. Declare it under that name, with `presentParameters` in `transform`.
 */
export function parameterParts(owner: ParameterOwner): Field<readonly Item[]> & Unstored {
  const doc =
    'All its parameters: an item with a known name changes that one, another makes one, what the list leaves out is removed.'
  return {
    ...parts('parameter', { by: owner, key: levelOf(owner).key, doc, replaces: { repeated: REPEATED } }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => buildParametersSchema('Its own parameters.'),
        sql: (alias) => selectOwnParameters(alias, owner),
      },
    }),
  }
}

/** Completes a list of parameters for a record that has others: a sent list alone would replace all of them. */
export async function withOtherParameters(
  ctx: Context,
  owner: ParameterOwner,
  id: number,
  items: readonly Sent[],
): Promise<readonly Sent[]> {
  const names = items.map(({ name }) => String(name))
  const others = await rows<{ id: number }>(
    ctx.db,
    sql`select id from parameters where ${sql.ref(`${owner}_id`)} = ${id} and name <> all (${names}::text[]) order by id`,
  )
  return [...items, ...others.map((other) => ({ id: other.id }))]
}

/** Refuses to change or delete a parameter unless the caller may edit its owner. {@throws Failure} parent_not_found */
export async function refuseForeignOwner(ctx: Context, { registry }: Resource, stored: Stored): Promise<void> {
  for (const { owner } of LEVELS) {
    const id = stored[`${owner}_id`]
    if (typeof id !== 'number') continue
    const resource = registry.get(owner)
    if (!resource || !(await mayEdit(ctx, resource, id))) throw parentNotFound(owner, id)
  }
}

async function mayEdit(ctx: Context, resource: Resource, id: number): Promise<boolean> {
  const editable = joinConditions(limitToVisible(ctx, resource, permissionOf(resource, 'edit')))
  const found = await row(
    ctx.db,
    sql`select t.id from ${sql.table(resource.table)} t where t.id = ${id} and ${editable}`,
  )
  return found !== undefined
}
