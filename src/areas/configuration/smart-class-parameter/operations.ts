import { type Context, inTransaction } from '../../../context.ts'
import { parentNotFound } from '../../../errors.ts'
import {
  applyShown,
  assertWritable,
  compileRequestSearch,
  createPresenter,
  limitToVisible,
  list,
  lock,
  type Resource,
  type Row,
  readDraft,
  selectRecord,
  updateStored,
  validateBody,
} from '../../../kernel/index.ts'
import { idOf, membersOf, readObjects } from '../../../lib/values.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment, readSingle } from '../../../requests/sent.ts'
import { loadInvisibleOverrides } from '../override-value/guard.ts'
import { revealParameterValues } from './hidden.ts'
import { hasParent, limitToRequestedParameters, VIEW } from './scope.ts'

/** Answers a page of parameters (smart-parameters §1.3). */
export async function listParameters(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const conditions = await limitToRequestedParameters(ctx, resource, input)
  const answer = await list(ctx, resource, input, conditions, { parents: 'unread' })
  const body = answer.body
  return {
    ...answer,
    body: { ...body, results: await revealParameterValues(ctx, resource, body.results, input.query) },
  }
}

/**
 * Answers one parameter, by id or name. {@throws Failure} parent_not_found, because a missing parameter has the body of a
 * missing parent (smart-parameters §1.7)
 */
export async function showParameter(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const id = await findParameterId(ctx, resource, input, readIdSegment(input))
  return { status: 200, body: await presentParameter(ctx, resource, input, id) }
}

/**
 * Updates a parameter (smart-parameters §1.5). {@throws Failure} validation_failed for invalid values, parent_not_found
 */
export async function updateParameter(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const validated = await validateBody(ctx, resource, input.body)
  return inTransaction(ctx, async (tx) => {
    const id = await findParameterId(tx, resource, input, readIdSegment(input))
    const stored = await lock(tx, resource, id)
    // The permission is checked before values are validated, because a message about a hidden value could reveal it.
    await assertWritable(tx, resource, 'edit', id)
    await updateStored(tx, resource, stored, await readDraft(tx, resource, validated, stored))
    return { status: 200, body: await presentParameter(tx, resource, input, id) }
  })
}

/** Finds the id of the parameter in the path among those that the request is about. {@throws Failure} parent_not_found */
export async function findParameterId(
  ctx: Context,
  resource: Resource,
  input: Input,
  segment: string,
): Promise<number> {
  const conditions = [
    ...limitToVisible(ctx, resource, VIEW),
    ...(await limitToRequestedParameters(ctx, resource, input)),
  ]
  const search = await compileRequestSearch(ctx, resource, readSingle(input.query, 'search'))
  const found = await selectRecord(ctx.db, resource, ['id'], segment, [...conditions, ...search])
  if (!found) throw parentNotFound(resource.name, segment)
  return found.id
}

async function presentParameter(ctx: Context, resource: Resource, input: Input, id: number): Promise<Row> {
  const { show } = resource.views
  const found = await selectRecord(ctx.db, resource, show, id, [])
  if (!found) throw parentNotFound(resource.name, id)
  const [seen] = await applyShown(ctx, resource, [createPresenter(resource, show, 'view')(found)], {})
  const unseen = await loadInvisibleOverrides(ctx, resource.registry, [id])
  const overrides = readObjects(membersOf(seen), 'override_values') ?? []
  const record: Record<string, unknown> = {
    ...seen,
    override_values: overrides.filter((one) => !unseen.has(idOf(one))),
  }
  if (hasParent(input, 'configclass')) delete record.configclass
  if (hasParent(input, 'environment')) delete record.environments
  return (await revealParameterValues(ctx, resource, [record], input.query))[0] ?? record
}
