import { type Context, inTransaction } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import {
  type Action,
  limitToVisible,
  lock,
  type Resource,
  readBack,
  resolveParents,
  selectChanged,
  selectRecord,
  show,
  storeChange,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { idOf } from '../../../values.ts'
import { refuseToken } from './refuse-token.ts'

const REVOKING = 'revoke_personal_access_tokens'

/** Revokes a token, which stays as a record. */
export const revoke: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'revoke',
  summary: 'Revoke a personal access token',
  permissions: [REVOKING],
  own: true,
  handle: revokeToken,
}

async function revokeToken(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { draft: given, conditions } = await resolveParents(ctx, resource, input)
  await refuseToken(ctx, Number(given.user), REVOKING)
  const shown = await show(ctx, resource, input)
  const id = idOf(shown.body)
  const revocable = [...limitToVisible(ctx, resource, REVOKING, true), ...conditions]
  if (id === undefined || !(await selectRecord(ctx.db, resource, ['id'], id, revocable)))
    throw notFound(resource.name, String(input.params.id))
  return inTransaction(ctx, async (tx) => {
    const stored = await lock(tx, resource, id)
    const changed = selectChanged(resource, stored, { revoked: true })
    if (Object.keys(changed).length > 0) await storeChange(tx, resource, stored, changed)
    return { status: 200, body: await readBack(tx, resource, id) }
  })
}
