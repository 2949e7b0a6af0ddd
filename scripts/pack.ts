// Builds the package for `npm install`. Usage: npm run pack -- [folder]. Prints the name of the file.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packFolder, stagePackage } from './package-files.ts'

const folder = resolve(process.argv[2] ?? '.')
const staged = mkdtempSync(join(tmpdir(), 'millwright-package-'))
try {
  stagePackage(staged)
  mkdirSync(folder, { recursive: true })
  console.log(packFolder(staged, folder))
} finally {
  rmSync(staged, { recursive: true, force: true })
}
