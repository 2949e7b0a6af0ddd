import { makeTemplate } from '../src/database/template.ts'

// Run once after installing: the first start with an empty data directory then takes one second instead of four.
await makeTemplate()
