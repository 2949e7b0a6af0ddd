import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { writeDescriptions } from './build/descriptions.ts'
import { writePreloads } from './build/preloads.ts'

// Builds the console into web/dist: the descriptions of the API, the bundle, and what is smaller compressed.
// Usage: npm run build:web [-- --if-needed | --describe]; lines `progress <percent> <step>` say how far it is.
const WEB = import.meta.dirname
const BUILT = join(WEB, 'dist')
const DIGEST = join(BUILT, 'built-from')
const MOST_WAITING = 120

const digest = digestOfSources()
if (process.argv.includes('--describe')) await writeDescriptions(join(WEB, 'src/generated'), { withTypes: true })
else if (!process.argv.includes('--if-needed') || !isBuilt()) await buildAlone()

/** Of several that begin together one builds, and the others find it done. */
async function buildAlone(): Promise<void> {
  const lock = join(WEB, 'dist.lock')
  for (let waited = 0; ; waited++) {
    const mine = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (mine) break
    if (waited > MOST_WAITING) throw new Error(`Somebody else is building; if nobody is, remove ${lock}`)
    await setTimeout(1000)
  }
  try {
    if (!process.argv.includes('--if-needed') || !isBuilt()) await build()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

async function build(): Promise<void> {
  const next = join(WEB, `dist.${process.pid}`)
  try {
    report(5, 'describing the API')
    await writeDescriptions(join(WEB, 'src/generated'), { withTypes: false })
    report(30, 'bundling')
    // Whoever builds may be a test: what is built is for people.
    process.env['NODE_ENV'] = 'production'
    const vite = await import('vite')
    await vite.build({ configFile: join(WEB, 'vite.config.ts'), logLevel: 'error', build: { outDir: next } })
    writePreloads(next, join(WEB, 'src/generated'))
    report(75, 'compressing')
    await compress(join(next, 'assets'))
    writeFileSync(join(next, 'built-from'), digest)
    await rm(BUILT, { recursive: true, force: true })
    await rename(next, BUILT)
    report(100, 'done')
  } finally {
    await rm(next, { recursive: true, force: true })
  }
}

function report(percent: number, step: string): void {
  process.stdout.write(`progress ${percent} ${step}\n`)
}

function isBuilt(): boolean {
  return existsSync(join(BUILT, 'index.html')) && existsSync(DIGEST) && readFileSync(DIGEST, 'utf8') === digest
}

/** The console follows the declarations of the service: what changes there makes it old, too. */
function digestOfSources(): string {
  const files = globSync(['src/**/*.ts', 'web/{src,build}/**/*', 'web/*.{ts,html,json,svg}', 'package-lock.json'], {
    cwd: join(WEB, '..'),
    exclude: (path) => path.includes('generated'),
  })
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    if (/\.\w+$/.test(file)) hash.update(file).update(readFileSync(join(WEB, '..', file)))
  }
  return hash.digest('hex')
}

/** Beside each file that gets smaller by it: the best there is, since it is done once. */
async function compress(folder: string): Promise<void> {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  for (const name of await readdir(folder)) {
    if (!/\.(?:js|css|svg|json)$/.test(name)) continue
    const content = await readFile(join(folder, name))
    const [small, smaller] = [
      await promisify(gzip)(content, { level: 9 }),
      await promisify(brotliCompress)(content, brotli),
    ]
    if (small.length < content.length) await writeFile(join(folder, `${name}.gz`), small)
    if (smaller.length < content.length) await writeFile(join(folder, `${name}.br`), smaller)
  }
}
