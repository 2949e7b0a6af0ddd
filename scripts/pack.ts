// Builds the package for `npm install`. Usage: npm run pack -- [folder]. Prints the name of the file.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stagePackage } from './package-files.ts'

const folder = resolve(process.argv[2] ?? '.')
const staged = mkdtempSync(join(tmpdir(), 'millwright-package-'))
try {
  await stagePackage(staged)
  mkdirSync(folder, { recursive: true })
  const packed = spawnSync('npm', ['pack', staged, '--pack-destination', folder, '--silent'], { encoding: 'utf8' })
  if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.stderr}`)
  console.log(join(folder, packed.stdout.trim()))
} finally {
  rmSync(staged, { recursive: true, force: true })
}
