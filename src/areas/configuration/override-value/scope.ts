import { type Context, hasPermission } from '../../../context.ts'
import { notFound, parentNotFound } from '../../../errors.ts'
import {
  type Condition,
  joinConditions,
  limitToMembers,
  limitToVisible,
  type Resource,
  ROOT,
  selectRecord,
} from '../../../kernel/index.ts'
import { findDeclared } from '../../../records/declared.ts'
import type { Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { joinAny, sql } from '../../../sql.ts'
import { type ClassParameterFields, parameterFields } from '../smart-class-parameter/fields.ts'
import { EDIT } from '../smart-class-parameter/hidden.ts'
import { findParameterId } from '../smart-class-parameter/operations.ts'

/** The permissions for parameters of which any allows to write overrides (smart-parameters §2.1). */
export const WRITING = [EDIT, 'destroy_external_parameters']

/** The permissions of which any allows to create overrides. */
export const CREATING = ['create_external_parameters', ...WRITING]

/** Finds the resource of smart class parameters. */
export function parameterResourceOf({ registry }: Pick<Resource, 'registry'>): Resource<ClassParameterFields> {
  return findDeclared(registry, 'smart_class_parameter', parameterFields)
}

/**
 * Finds the id of the parameter in the path, for callers who see it and have one of the permissions. {@throws Failure}
 * parent_not_found
 */
export async function findParameterOfPath(
  ctx: Context,
  resource: Resource,
  input: Input,
  permissions: readonly string[] = [],
): Promise<number> {
  const parameters = parameterResourceOf(resource)
  const segment = input.params.smart_class_parameter_id ?? ''
  const { search: _search, ...query } = input.query
  const id = await findParameterId(ctx, parameters, { ...input, query }, segment)
  if (permissions.length === 0) return id
  const held = permissions.filter((permission) => hasPermission(ctx, permission))
  const allowed: Condition = {
    sql: joinAny(held.map((permission) => joinConditions(limitToVisible(ctx, parameters, permission)))),
    tables: [],
  }
  if (!(await selectRecord(ctx.db, parameters, ['id'], id, [allowed]))) throw parentNotFound(parameters.name, segment)
  return id
}

/**
 * Finds the id of the override in the path, by id or match text, among those that the caller sees. {@throws Failure}
 * with one of two bodies (smart-parameters §2.3)
 */
export async function findOverrideOfPath(
  ctx: Context,
  resource: Resource,
  input: Input,
  parameter: number,
): Promise<number> {
  const segment = readIdSegment(input)
  const found = await selectRecord(ctx.db, resource, ['id'], segment, [
    ...limitToMembers(ctx, resource),
    limitToParameter(parameter),
  ])
  if (found) return found.id
  throw /^\d+$/.test(segment) ? parentNotFound(resource.name, segment) : notFound(resource.name, segment)
}

/** Leaves the overrides of one parameter. */
export function limitToParameter(parameter: number): Condition {
  return { sql: sql`${sql.ref(`${ROOT}.smart_class_parameter_id`)} = ${parameter}`, tables: [] }
}
