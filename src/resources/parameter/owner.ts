import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { parentNotFound } from '../../errors.ts'
import { permissionFor, visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import type { Field, Resource, Stored } from '../../kernel/resource.ts'
import { parts } from '../parts.ts'
import { parametersOf, parametersSchema } from './effective.ts'
import { LEVELS, levelOf, type Owner } from './levels.ts'

/**
 * The field `parameters` of what has parameters: shown in a list of objects, written by items of `<…>_attributes`. To
 * be declared under that name, shown by `shown: shownParameters`.
 */
export function parameterParts(owner: Owner): Field {
  const doc = 'Its parameters. An item with a known name changes that one, another makes one, _destroy removes it.'
  return {
    ...parts('parameter', { by: owner, key: levelOf(owner).key, doc }),
    readable: ({ name }) => ({
      [name]: { schema: () => parametersSchema('Its own parameters.'), sql: (alias) => parametersOf(alias, owner) },
    }),
  }
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
  const editable = where(visible(ctx, resource, permissionFor(resource, 'edit')))
  const found = await row(
    ctx.db,
    sql`select t.id from ${sql.table(resource.table)} t where t.id = ${id} and ${editable}`,
  )
  return found !== undefined
}
