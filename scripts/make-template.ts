import { fileURLToPath } from 'node:url'
import { makeTemplate } from '../src/postgresql/bundled.ts'
import { ROOT } from '../src/root.ts'

// Runs once after installation, so that the first start with an empty data directory neither creates a database nor its schema.
await makeTemplate(fileURLToPath(new URL('migrations', ROOT)))
