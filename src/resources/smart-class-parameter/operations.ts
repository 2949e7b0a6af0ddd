import { type Context, inTransaction } from '../../context.ts'
import { parentNotFound } from '../../errors.ts'
import { where } from '../../kernel/condition.ts'
import { attributesOf, judge, readDraft, single } from '../../kernel/input.ts'
import { insist, lock } from '../../kernel/operations/change.ts'
import { list } from '../../kernel/operations/list.ts'
import { updateStored } from '../../kernel/operations/update.ts'
import { idSegment } from '../../kernel/operations/within.ts'
import { lastWord, presenter, type Row } from '../../kernel/present.ts'
import type { Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { searching } from '../../kernel/searching.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { reveal } from './hidden.ts'
import { names, parametersWithin } from './scope.ts'

/** A page of parameters (smart-parameters §1.3). */
export async function listParameters(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const conditions = await parametersWithin(ctx, resource, input)
  const records = {
    where: () => where(conditions),
    tables: conditions.flatMap(({ tables }) => tables),
  }
  const answer = await list(ctx, { ...resource, parents: {}, records }, input)
  const body = answer.body as { readonly results: readonly Row[] } // what lists answer
  return { ...answer, body: { ...body, results: await reveal(ctx, resource, body.results, input.query) } }
}

/** One parameter, by id or name. {@throws Failure} parent_not_found, whose body is the one for this, too (§1.7) */
export async function showParameter(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const id = await findParameter(ctx, resource, input, idSegment(input))
  return { status: 200, body: await shown(ctx, resource, input, id) }
}

/** Changes one (smart-parameters §1.5). {@throws Failure} validation_failed for values that do not fit, parent_not_found */
export async function updateParameter(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const judged = await judge(ctx, resource, attributesOf(resource, input.body))
  return inTransaction(ctx, async (tx) => {
    const id = await findParameter(tx, resource, input, idSegment(input))
    const stored = await lock(tx, resource, id)
    // Before the values are looked at, too: what is wrong with a hidden one would tell what it is.
    await insist(tx, resource, 'edit', id)
    await updateStored(tx, resource, stored, await readDraft(tx, resource, judged, stored))
    return { status: 200, body: await shown(tx, resource, input, id) }
  })
}

/** The id of the parameter that a path segment names among those the request is about. {@throws Failure} parent_not_found */
export async function findParameter(ctx: Context, resource: Resource, input: Input, segment: string): Promise<number> {
  const conditions = await parametersWithin(ctx, resource, input)
  const search = searching(ctx, resource, single(input.query, 'search'))
  const found = await selectRecord(ctx.db, resource, ['id'], segment, [...conditions, ...search])
  if (!found) throw parentNotFound(resource.name, segment)
  return found.id as number // every id is a number
}

async function shown(ctx: Context, resource: Resource, input: Input, id: number): Promise<Row> {
  const { show } = resource.views
  const found = await selectRecord(ctx.db, resource, show, id, [])
  if (!found) throw parentNotFound(resource.name, id)
  const [seen] = await lastWord(ctx, resource, [presenter(resource, show, 'view')(found)], {})
  const record = { ...seen }
  if (names(input, 'configclass')) delete record.configclass
  if (names(input, 'environment')) delete record.environments
  return (await reveal(ctx, resource, [record], input.query))[0] ?? record
}
