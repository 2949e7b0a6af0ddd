import { seedIdentity } from '../areas/access/index.ts'
import { seedProvisioning } from '../areas/provisioning/index.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { permissionsOf, type Registry } from '../kernel/index.ts'
import { seedSettings } from '../settings.ts'

/** Stores what a database has from its first start: the administrator, permissions, settings, templates. */
export async function seedDatabase(database: Database, registry: Registry, config: Config) {
  const seeded = await seedIdentity(database.db, { ...config, permissions: permissionsOf(registry) })
  await seedSettings(database.db)
  if (seeded.created) await seedProvisioning(database.db)
  return seeded
}
