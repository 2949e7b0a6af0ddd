import { makeTemplate } from '../src/database/template.ts'

// Runs once after installation, so that the first start with an empty data directory takes one second instead of four.
await makeTemplate()
