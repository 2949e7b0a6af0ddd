import { type Context, inTransaction } from '../../context.ts'
import type { Answer, Input } from '../../requests/route.ts'
import { permissionOf } from '../authorize.ts'
import type { Action, Resource } from '../definition.ts'
import type { Stored } from '../record.ts'
import { findLocked, findRecord } from './find.ts'

/** Calls the handler of an action; the record that an action is about is found, or locked, first. {@throws Failure} */
export async function runAction(action: Action, ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  if (!action.record) return action.handle(ctx, resource, input)
  const { how, permission = action.permissions?.[0] ?? permissionOf(resource, 'edit') } = action.record
  const finding = { permission, own: action.own ?? false }
  const answer = (on: Context, record: Stored) => action.handle(on, resource, input, record)
  if (how === 'locked')
    return inTransaction(ctx, async (tx) => answer(tx, await findLocked(tx, resource, input, finding)))
  const { keys = ['id'] } = action.record
  return answer(ctx, await findRecord(ctx, resource, input, { ...finding, keys }))
}
