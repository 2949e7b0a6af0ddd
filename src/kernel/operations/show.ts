import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { permissionFor, visible } from '../authorize.ts'
import { askedView, lastWord, presenter, type Row } from '../present.ts'
import type { Resource } from '../resource.ts'
import type { Answer, Input } from '../route.ts'
import { selectRecord } from '../store/select.ts'
import { absent } from './absent.ts'
import { ownFor } from './own.ts'
import { idSegment, within } from './within.ts'

/** One record in the keys of the `show` view. {@throws Failure} not_found, also for what the caller may not see */
export async function show(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const id = idSegment(input)
  const permission = permissionFor(resource, 'view')
  const conditions = [
    ...visible(ctx, resource, permission, ownFor(resource, 'show')),
    ...(await within(ctx, resource, input)).conditions,
  ]
  const view = askedView(resource, resource.views.show, input.query)
  const found = await selectRecord(ctx.db, resource, view, id, conditions)
  if (!found) throw await absent(ctx, resource, permission, id)
  const record = presenter(resource, view, 'view')(found)
  return { status: 200, body: (await lastWord(ctx, resource, [record], input.query))[0] }
}

/** The record as it is now, whoever may see it: the answer to a write that has just happened in this transaction. */
export async function readBack(ctx: Context, resource: Resource, id: number): Promise<Row> {
  const found = await selectRecord(ctx.db, resource, resource.views.show, id, [])
  if (!found) throw notFound(resource.name, id)
  const record = presenter(resource, resource.views.show, 'view')(found)
  return (await lastWord(ctx, resource, [record], {}))[0] ?? record
}
