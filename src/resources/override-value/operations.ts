import { type Context, inTransaction } from '../../context.ts'
import { audit, everyValue, oldAndNew } from '../../kernel/audit.ts'
import { where } from '../../kernel/condition.ts'
import { withFieldErrors } from '../../kernel/constraints.ts'
import { attributesOf, judge, readDraft } from '../../kernel/input.ts'
import { labelOf, lock } from '../../kernel/operations/change.ts'
import { removeStored } from '../../kernel/operations/delete.ts'
import { list } from '../../kernel/operations/list.ts'
import { presenter, type Row } from '../../kernel/present.ts'
import type { Draft, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { differing, insertRecord, updateRecord } from '../../kernel/store/write.ts'
import { hiddenValues } from '../smart-class-parameter/hidden.ts'
import { checkOverride } from './check.ts'
import { CREATING, ofParameter, overrideOf, parameterOf, parametersOf, WRITING } from './scope.ts'

/** A page of the overrides of one parameter, the oldest first. {@throws Failure} parent_not_found without the parameter */
export async function listOverrides(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const parameter = await parameterOf(ctx, resource, input)
  const records = { where: () => where([ofParameter(parameter)]) }
  const answer = await list(ctx, { ...resource, parents: {}, records }, input)
  const body = answer.body as { readonly results: readonly Row[] } // what lists answer
  return { ...answer, body: { ...body, results: await reveal(ctx, resource, parameter, body.results, input) } }
}

/** One override, by id or match text. {@throws Failure} parent_not_found or not_found (smart-parameters §2.3) */
export async function showOverride(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const parameter = await parameterOf(ctx, resource, input)
  const id = await overrideOf(ctx, resource, input, parameter)
  return { status: 200, body: await shown(ctx, resource, input, parameter, id) }
}

/** Makes one; the parameter is managed from then on. {@throws Failure} validation_failed */
export async function createOverride(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const judged = await judge(ctx, resource, attributesOf(resource, input.body))
  return inTransaction(ctx, async (tx) => {
    const parameter = await parameterOf(tx, resource, input, CREATING)
    const owner = await lock(tx, parametersOf(resource), parameter)
    const draft = await readDraft(tx, resource, judged, null, { smart_class_parameter: parameter })
    const values = { ...draft, ...(await checkOverride(tx, resource, owner, draft, null)) }
    const { id } = await withFieldErrors(resource, null, () => insertRecord(tx, resource, values))
    const stored = await lock(tx, resource, id)
    await audit(tx, resource, 'create', { id, label: labelOf(resource, stored) }, everyValue(resource, stored))
    if (owner.override !== true) await change(tx, parametersOf(resource), parameter, { override: true })
    return { status: 201, body: await shown(tx, resource, input, parameter, id) }
  })
}

/** Changes one. {@throws Failure} validation_failed */
export async function updateOverride(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const judged = await judge(ctx, resource, attributesOf(resource, input.body))
  return inTransaction(ctx, async (tx) => {
    const parameter = await parameterOf(tx, resource, input, WRITING)
    const owner = await lock(tx, parametersOf(resource), parameter)
    const id = await overrideOf(tx, resource, input, parameter)
    const stored = await lock(tx, resource, id)
    const draft = await readDraft(tx, resource, judged, stored)
    await change(tx, resource, id, await checkOverride(tx, resource, owner, draft, stored))
    return { status: 200, body: await shown(tx, resource, input, parameter, id) }
  })
}

/** Deletes one, and answers with what it was. */
export async function deleteOverride(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  return inTransaction(ctx, async (tx) => {
    const parameter = await parameterOf(tx, resource, input, WRITING)
    const id = await overrideOf(tx, resource, input, parameter)
    const stored = await lock(tx, resource, id)
    const gone = await shown(tx, resource, input, parameter, id)
    await removeStored(tx, resource, stored)
    return { status: 200, body: gone }
  })
}

/** Stores what differs, with its audit. Who may do this has been seen to. */
async function change(ctx: Context, resource: Resource, id: number, values: Draft): Promise<void> {
  const stored = await lock(ctx, resource, id)
  const changed = differing(resource, stored, values)
  if (Object.keys(changed).length === 0) return
  await withFieldErrors(resource, id, () => updateRecord(ctx, resource, id, changed))
  const after = await lock(ctx, resource, id)
  await audit(ctx, resource, 'update', { id, label: labelOf(resource, after) }, oldAndNew(resource, stored, changed))
}

async function shown(ctx: Context, resource: Resource, input: Input, parameter: number, id: number): Promise<Row> {
  const { show } = resource.views
  const found = await selectRecord(ctx.db, resource, show, id, [])
  const record = presenter(resource, show, 'view')(found ?? {})
  return (await reveal(ctx, resource, parameter, [record], input))[0] ?? record
}

async function reveal(
  ctx: Context,
  resource: Resource,
  parameter: number,
  records: readonly Row[],
  { query }: Input,
): Promise<readonly Row[]> {
  const own = (await hiddenValues(ctx, parametersOf(resource), [parameter], query)).get(parameter)
  return own ? records.map((record) => ({ ...record, value: own.overrides[String(record.id)] ?? null })) : records
}
