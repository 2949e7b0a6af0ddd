import type { Context } from '../../../context.ts'
import { refuseAdministrators } from '../user/guard.ts'
import { refuseForOthers } from '../user/owned-records.ts'

/** Refuses to create tokens for users whom the caller could not act as. */
export async function refuseToken(ctx: Context, owner: number, permission: string): Promise<void> {
  refuseForOthers(ctx, owner, permission)
  await refuseAdministrators(ctx, owner)
}
