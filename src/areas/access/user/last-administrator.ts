import type { Context } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { isAdministratorLeft, lockAdministrators } from '../identity/administrators.ts'

/**
 * Executes a write that may take an administrator away, and refuses it if none would be left. {@throws Failure} invalid
 */
export async function keepAnAdministrator(ctx: Context, id: number, write: () => Promise<void>): Promise<void> {
  await lockAdministrators(ctx.db)
  await write()
  if (await isAdministratorLeft(ctx.db)) return
  throw invalid({ base: ['The last administrator has to stay'] }, id)
}
