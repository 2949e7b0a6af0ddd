import { fileURLToPath } from 'node:url'
import { makeMigratedTemplate } from '../src/database/migrated-template.ts'
import { makeTemplate } from '../src/database/template.ts'
import { ROOT } from '../src/root.ts'

// Runs once after installation, so that the first start with an empty data directory neither creates a database nor its schema.
await makeTemplate()
await makeMigratedTemplate(fileURLToPath(new URL('migrations', ROOT)))
