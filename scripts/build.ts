// Builds the program as JavaScript into dist/, for packages: npm runs it before it packs a checkout. A checkout itself uses its
// sources, whatever is in dist/.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleClient, bundleService, INLINED } from './bundle.ts'
import { root } from './package-files.ts'

const folder = join(root, 'dist')
rmSync(folder, { recursive: true, force: true })
await bundleService(folder)
await bundleClient(join(folder, 'client'))
for (const name of INLINED) copyLicence(name)

/** Copies the licence of a package, which has to be distributed with it; some packages only name it in their manifest. */
function copyLicence(name: string): void {
  const from = join(root, 'node_modules', name)
  const file = readdirSync(from).find((each) => /^licen[cs]e/i.test(each)) ?? 'package.json'
  const target = join(folder, 'licences', name.replace('/', '-'))
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(from, file), target)
}
