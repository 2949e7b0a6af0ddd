import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { any } from '../../database/sql.ts'
import { notFound, parentNotFound } from '../../errors.ts'
import { holds, visible } from '../../kernel/authorize.ts'
import { type Condition, ROOT, where } from '../../kernel/condition.ts'
import { idSegment } from '../../kernel/operations/within.ts'
import type { Resource } from '../../kernel/resource.ts'
import type { Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { EDIT } from '../smart-class-parameter/hidden.ts'
import { findParameter } from '../smart-class-parameter/operations.ts'

/** Who changes and deletes overrides, and who makes them: one of these permissions for the parameter (smart-parameters §2.1). */
export const WRITING = [EDIT, 'destroy_external_parameters']
export const CREATING = ['create_external_parameters', ...WRITING]

/** The resource of parameters. */
export function parametersOf({ registry }: Pick<Resource, 'registry'>): Resource {
  const parameters = registry.get('smart_class_parameter')
  if (!parameters) throw new Error('no resource is named smart_class_parameter')
  return parameters
}

/**
 * The id of the parameter that the path names, which the caller must see and hold one of the permissions for.
 * {@throws Failure} parent_not_found
 */
export async function parameterOf(
  ctx: Context,
  resource: Resource,
  input: Input,
  permissions: readonly string[] = [],
): Promise<number> {
  const parameters = parametersOf(resource)
  const segment = input.params.smart_class_parameter_id ?? ''
  const { search: _search, ...query } = input.query
  const id = await findParameter(ctx, parameters, { ...input, query }, segment)
  if (permissions.length === 0) return id
  const held = permissions.filter((permission) => holds(ctx, permission))
  const allowed: Condition = {
    sql: any(held.map((permission) => where(visible(ctx, parameters, permission)))),
    tables: [],
  }
  if (!(await selectRecord(ctx.db, parameters, ['id'], id, [allowed]))) throw parentNotFound(parameters.name, segment)
  return id
}

/** The id of the override that the path names by its own id or its match text. {@throws Failure} in one of two forms (§2.3) */
export async function overrideOf(ctx: Context, resource: Resource, input: Input, parameter: number): Promise<number> {
  const segment = idSegment(input)
  const found = await selectRecord(ctx.db, resource, ['id'], segment, [ofParameter(parameter)])
  if (found) return found.id as number // every id is a number
  throw /^\d+$/.test(segment) ? parentNotFound(resource.name, segment) : notFound(resource.name, segment)
}

/** The overrides of one parameter. */
export function ofParameter(parameter: number): Condition {
  return { sql: sql`${sql.ref(`${ROOT}.smart_class_parameter_id`)} = ${parameter}`, tables: [] }
}
