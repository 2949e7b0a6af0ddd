import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { generateGoldenFiles } from './description/golden.ts'
import { openLaboratory } from './description/laboratory.ts'
import { openSampleDatabase } from './description/sample-database.ts'
import { takePictures } from './pictures.ts'

// Writes the generated documents; with --check compares them instead. Usage: npm run docs [-- --pictures], which takes the
// pictures of the console anew.
await using database = await openSampleDatabase()
await using laboratory = await openLaboratory(database)

const checking = process.argv.includes('--check')
const files = await generateGoldenFiles(laboratory)
for (const { path, text } of files) {
  if (readCurrent(path) === text) continue
  if (checking) {
    console.error(`${path} is not what the declarations say: run npm run docs and look at the difference`)
    process.exitCode = 1
  } else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    console.log(`wrote ${path}`)
  }
}

// Deletes the documents of resources and groups that no longer exist.
const paths = new Set(files.map(({ path }) => path))
for (const path of globSync('docs/generated/{openapi,sql}/*').filter((each) => !paths.has(each))) {
  if (checking) {
    console.error(`${path} is of something that is gone: run npm run docs`)
    process.exitCode = 1
  } else {
    rmSync(path)
    console.log(`removed ${path}`)
  }
}

if (!checking) takePictures({ anew: process.argv.includes('--pictures') })

function readCurrent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
