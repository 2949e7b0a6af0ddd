import type { Context } from '../../../context.ts'
import { Failure } from '../../../errors.ts'
import {
  type Condition,
  limitToVisible,
  permissionOf,
  type Resource,
  ROOT,
  selectRecord,
} from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

/** The permission to view parameters. Callers who may only view config classes get an empty list. */
export const VIEW = 'view_external_parameters'

const OF_CLASS = ['configclass', 'environment']
const OF_HOST = ['host', 'hostgroup']

/**
 * Limits parameters to those that a request is about (smart-parameters §1.3): of the class and environment in path or
 * query, else managed ones of a host or host group, else those in any environment. {@throws Failure} not_found for an
 * unknown class, environment, host or host group
 */
export async function limitToRequestedParameters(ctx: Context, resource: Resource, input: Input): Promise<Condition[]> {
  const listNamed = (names: readonly string[]) => names.filter((name) => segmentOf(input, name) !== null)
  const parents = listNamed(OF_CLASS).length > 0 ? listNamed(OF_CLASS) : listNamed(OF_HOST)
  const conditions: Condition[] = []
  for (const parent of parents) conditions.push(await limitToParent(ctx, resource, input, parent))
  return parents.length > 0 ? conditions : [SOMEWHERE]
}

/** Whether path or query name this kind of parent. */
export function hasParent(input: Input, parent: string): boolean {
  return segmentOf(input, parent) !== null
}

const SOMEWHERE: Condition = {
  sql: sql`exists (select from class_parameter_environments e where e.smart_class_parameter_id = ${sql.ref(`${ROOT}.id`)})`,
  tables: ['class_parameter_environments'],
}

function segmentOf({ params, query }: Input, parent: string): string | null {
  return (params[`${parent}_id`] ?? readSingle(query, `${parent}_id`)) || null
}

async function limitToParent(ctx: Context, resource: Resource, input: Input, parent: string): Promise<Condition> {
  const placed = resource.byName.get(resource.parents[parent])
  const target = resource.registry.get(parent)
  if (!placed?.field.within || !target) throw new Error(`${resource.name} does not belong to a ${parent}`)
  const segment = segmentOf(input, parent) ?? ''
  const seen = limitToVisible(ctx, target, permissionOf(target, 'view'))
  const found = await selectRecord(ctx.db, target, ['id'], segment, seen)
  if (!found) {
    const word = `${parent.charAt(0).toUpperCase()}${parent.slice(1)}`
    throw new Failure('not_found', `${word} with id '${segment}' was not found`)
  }
  const { at, elsewhere } = placed
  const within = placed.field.within(at, ROOT, found.id)
  return { ...within, tables: [...within.tables, ...(elsewhere?.tables(at) ?? [])] }
}
