import type { Context } from '../../../context.ts'
import { refuseAdministrators } from '../user/guard.ts'
import { refuseForOthers } from '../user/owned-records.ts'

/**
 * Refuses to create or revoke tokens of others without the permission, and those of administrators unless the caller is
 * one. {@throws Failure} denied, invalid
 */
export async function refuseToken(ctx: Context, owner: number, permission: string): Promise<void> {
  refuseForOthers(ctx, owner, permission)
  await refuseAdministrators(ctx, owner)
}
