import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row, rows } from '../../database/sql.ts'
import { parentNotFound } from '../../errors.ts'
import { limitToVisible, permissionFor } from '../../kernel/authorize.ts'
import { joinConditions } from '../../kernel/condition.ts'
import type { Field, Resource } from '../../kernel/definition.ts'
import type { Sent, Stored } from '../../kernel/record.ts'
import { parts } from '../../records/parts.ts'
import { buildParametersSchema, selectOwnParameters } from './effective.ts'
import { LEVELS, levelOf, type ParameterOwner } from './levels.ts'

const REPEATED = 'Please ensure the following parameters name are unique'

/**
 * The field `parameters` of what has parameters: shown in a list of objects, written by items of `<…>_attributes`. To
 * be declared under that name, shown by `shown: shownParameters`.
 */
export function parameterParts(owner: ParameterOwner): Field {
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

/** Items for a record that keeps its other parameters: a list of them alone would replace all that it has. */
export async function besideOtherParameters(
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

/** Whoever changes or deletes a parameter may edit what it belongs to. {@throws Failure} parent_not_found */
export async function refuseForeignOwner(ctx: Context, { registry }: Resource, stored: Stored): Promise<void> {
  for (const { owner } of LEVELS) {
    const id = stored[`${owner}_id`]
    if (typeof id !== 'number') continue
    const resource = registry.get(owner)
    if (!resource || !(await mayEdit(ctx, resource, id))) throw parentNotFound(owner, id)
  }
}

async function mayEdit(ctx: Context, resource: Resource, id: number): Promise<boolean> {
  const editable = joinConditions(limitToVisible(ctx, resource, permissionFor(resource, 'edit')))
  const found = await row(
    ctx.db,
    sql`select t.id from ${sql.table(resource.table)} t where t.id = ${id} and ${editable}`,
  )
  return found !== undefined
}
