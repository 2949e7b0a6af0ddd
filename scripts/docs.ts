import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { goldenFiles } from './description/golden.ts'
import { openLaboratory } from './description/laboratory.ts'
import { openSampleDatabase } from './description/sample-database.ts'

// Writes the documents that are derived from declarations; with --check compares them instead. Usage: npm run docs
await using database = await openSampleDatabase()
await using laboratory = await openLaboratory(database)

const checking = process.argv.includes('--check')
for (const { path, text } of await goldenFiles(laboratory)) {
  if (current(path) === text) continue
  if (checking) {
    console.error(`${path} is not what the declarations say: run npm run docs and look at the difference`)
    process.exitCode = 1
  } else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    console.log(`wrote ${path}`)
  }
}

function current(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
