import type { Context } from '../../../context.ts'
import { findResource, lock, type Registry, removeStored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { promoteVersion } from './promotion.ts'
import { createVersion } from './publish-task.ts'
import { refuseTaken } from './publishable.ts'

/** A version that another server has published. */
interface TakenVersion {
  readonly view: number
  readonly major: number
  readonly minor: number
  readonly description: string | null
  readonly environments: readonly number[]
}

/** Versions of content views that an import takes from another server: with their numbers, in the environments that they have there. */
export const takeContentViewVersion = {
  async create(tx: Context, registry: Registry, taken: TakenVersion): Promise<number> {
    const { environments, view: id, ...values } = taken
    const view = await lock(tx, findResource(registry, 'content_view'), id)
    await refuseTaken(tx, view, values.major, values.minor)
    const { id: version } = await createVersion(tx, registry, view, values, { intoLibrary: false })
    await this.promote(tx, registry, version, environments)
    return version
  },

  async promote(tx: Context, registry: Registry, version: number, environments: readonly number[]): Promise<void> {
    if (environments.length > 0) await promoteVersion(tx, registry, { version, environments, force: true })
  },

  /** Removes the version, from its environments first. */
  async remove(tx: Context, registry: Registry, version: number): Promise<void> {
    const versions = findResource(registry, 'content_view_version')
    await sql`delete from content_view_environments where content_view_version_id = ${version}`.execute(tx.db)
    await removeStored(tx, versions, await lock(tx, versions, version))
  },
} as const
