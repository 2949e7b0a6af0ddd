import { type Context, inTransaction } from '../../../context.ts'
import { sealWritten } from '../../../encryption/hidden-values.ts'
import {
  createPresenter,
  type Draft,
  insertRecord,
  list,
  lock,
  type Resource,
  type Row,
  readDraft,
  recordWhole,
  removeStored,
  selectChanged,
  selectRecord,
  storeChange,
  validateBody,
  withFieldErrors,
} from '../../../kernel/index.ts'
import { findDeclared } from '../../../records/declared.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { loadHiddenValues } from '../smart-class-parameter/hidden.ts'
import { validateOverride } from './check.ts'
import { overrideFields } from './fields.ts'
import { refuseForeignOverrides, refuseShared } from './guard.ts'
import {
  CREATING,
  findOverrideOfPath,
  findParameterOfPath,
  limitToParameter,
  parameterResourceOf,
  WRITING,
} from './scope.ts'

/**
 * Answers a page of the overrides of one parameter, the oldest first. {@throws Failure} parent_not_found without the
 * parameter
 */
export async function listOverrides(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const parameter = await findParameterOfPath(ctx, resource, input)
  const answer = await list(ctx, resource, input, [limitToParameter(parameter)], { parents: 'unread' })
  const body = answer.body
  return { ...answer, body: { ...body, results: await reveal(ctx, resource, parameter, body.results, input) } }
}

/**
 * Answers one override, by id or match text. {@throws Failure} parent_not_found or not_found (smart-parameters §2.3)
 */
export async function showOverride(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const parameter = await findParameterOfPath(ctx, resource, input)
  const id = await findOverrideOfPath(ctx, resource, input, parameter)
  return { status: 200, body: await presentOverride(ctx, resource, input, parameter, id) }
}

/** Creates an override and sets its parameter to be managed. {@throws Failure} validation_failed */
export async function createOverride(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const validated = await validateBody(ctx, resource, input.body)
  return inTransaction(ctx, async (tx) => {
    const parameter = await findParameterOfPath(tx, resource, input, CREATING)
    const owner = await lock(tx, parameterResourceOf(resource), parameter)
    // A parameter that becomes managed activates the existing overrides as well.
    if (owner.override !== true) await refuseForeignOverrides(tx, resource.registry, sql`${parameter}::bigint`)
    const draft = await readDraft(tx, resource, validated, null, { smart_class_parameter: parameter })
    const values = { ...draft, ...(await validateOverride(tx, resource, owner, draft, null)) }
    const value = owner.hidden_value === true ? sealWritten(tx, 'override_values', values.value) : values.value
    const { id } = await withFieldErrors(resource, null, () => insertRecord(tx, resource, { ...values, value }))
    const stored = await lock(tx, resource, id)
    await recordWhole(tx, resource, 'create', stored)
    if (owner.override !== true) await change(tx, parameterResourceOf(resource), parameter, { override: true })
    return { status: 201, body: await presentOverride(tx, resource, input, parameter, id) }
  })
}

/** Updates an override. {@throws Failure} validation_failed */
export async function updateOverride(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const validated = await validateBody(ctx, resource, input.body)
  return inTransaction(ctx, async (tx) => {
    const parameter = await findParameterOfPath(tx, resource, input, WRITING)
    const owner = await lock(tx, parameterResourceOf(resource), parameter)
    const id = await findOverrideOfPath(tx, resource, input, parameter)
    await refuseShared(tx, resource.registry, id)
    const stored = await lock(tx, findDeclared(resource.registry, resource.name, overrideFields), id)
    const draft = await readDraft(tx, resource, validated, stored)
    await change(tx, resource, id, await validateOverride(tx, resource, owner, draft, stored))
    return { status: 200, body: await presentOverride(tx, resource, input, parameter, id) }
  })
}

/** Deletes an override and answers its former values. */
export async function deleteOverride(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  return inTransaction(ctx, async (tx) => {
    const parameter = await findParameterOfPath(tx, resource, input, WRITING)
    const id = await findOverrideOfPath(tx, resource, input, parameter)
    await refuseShared(tx, resource.registry, id)
    const stored = await lock(tx, resource, id)
    const gone = await presentOverride(tx, resource, input, parameter, id)
    await removeStored(tx, resource, stored)
    return { status: 200, body: gone }
  })
}

/** Stores differences with an audit. The calling functions check permissions. */
async function change(ctx: Context, resource: Resource, id: number, values: Draft): Promise<void> {
  const stored = await lock(ctx, resource, id)
  const changed = selectChanged(resource, stored, values)
  if (Object.keys(changed).length === 0) return
  await withFieldErrors(resource, id, () => storeChange(ctx, resource, stored, changed))
}

async function presentOverride(
  ctx: Context,
  resource: Resource,
  input: Input,
  parameter: number,
  id: number,
): Promise<Row> {
  const { show } = resource.views
  const found = await selectRecord(ctx.db, resource, show, id, [])
  const record = createPresenter(resource, show, 'view')(found ?? {})
  return (await reveal(ctx, resource, parameter, [record], input))[0] ?? record
}

async function reveal(
  ctx: Context,
  resource: Resource,
  parameter: number,
  records: readonly Row[],
  { query }: Input,
): Promise<readonly Row[]> {
  const own = (await loadHiddenValues(ctx, parameterResourceOf(resource), [parameter], query)).get(parameter)
  return own ? records.map((record) => ({ ...record, value: own.overrides[String(record.id)] ?? null })) : records
}
