// Bundles the sources of the service into few files without types: reading hundreds of modules took most of the start and a
// sixth of the memory (docs/decisions/0031-few-files.md). Usage: node scripts/bundle.ts STAMP bundles a checkout for `npm
// start`.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Packages that are included in the bundle, because only a part of them is used, or they bring unused packages along. The
 * published package does not depend on them.
 */
export const INLINED: readonly string[] = [
  ...['zod', 'lru-cache', 'prom-client', 'tdigest', 'bintrees'],
  ...['api', 'api-logs', 'core', 'exporter-trace-otlp-http', 'otlp-exporter-base'].map(nameTelemetry),
  ...['otlp-transformer', 'resources', 'sdk-logs', 'sdk-metrics', 'sdk-trace', 'semantic-conventions'].map(
    nameTelemetry,
  ),
]

function nameTelemetry(name: string): string {
  return `@opentelemetry/${name}`
}

/**
 * A process keeps the text of its program, in two bytes for each character of a file that has one beyond Latin-1: those are
 * written as escapes, which mean what they did in strings, templates and patterns.
 */
const ascii: Plugin = {
  name: 'ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = escapeWide(file.code)
  },
}

function escapeWide(code: string): string {
  const [escaped] = /(?<!\\)(?:\\\\)*\\\P{ASCII}.{0,40}/u.exec(code) ?? []
  if (escaped) throw new Error(`a backslash before a character beyond ASCII would become another text: ${escaped}`)
  return code.replace(/\P{ASCII}/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${formatHex(character.charCodeAt(at))}`).join(''),
  )
}

function formatHex(unit: number): string {
  return unit.toString(16).padStart(4, '0')
}

/**
 * A module that imports `node:http` has Node ask for each of its exports, among them WebSocket, and load its client of the
 * Fetch standard for that; `node:tls` holds every root certificate as text. Required, they load what is asked for.
 */
const required: Plugin = {
  name: 'required',
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = requireBuiltIns(file.code)
  },
}

function requireBuiltIns(code: string): string {
  const changed = code.replace(
    /^import \{([^}]*)\} from ("node:(?:https?|tls)");$/gm,
    (_, names: string, id: string) => `const {${names.replaceAll(' as ', ': ')}} = requireBuiltIn(${id});`,
  )
  if (changed === code) return code
  const [shebang = ''] = /^#!.*\n/.exec(changed) ?? []
  const begin = 'import { createRequire } from "node:module";\nconst requireBuiltIn = createRequire(import.meta.url);\n'
  return shebang + begin + changed.slice(shebang.length)
}

/** Puts `main.js` and the files that it loads into a folder inside that of the program. */
export async function bundleService(folder: string): Promise<void> {
  await using bundle = await rolldown({
    input: {
      main: join(root, 'src/main.ts'),
    },
    platform: 'node',
    external: isExternal,
  })
  await bundle.write({ ...WRITTEN, dir: folder, plugins: [ascii, required] })
}

/**
 * Puts the `main.js` of the command line client and all that it loads into a folder, for any Node from 20 on; what a command
 * loads on demand is a file of its own. Yields the paths of the sources below the root, as the imports lead to them.
 */
export async function bundleClient(folder: string): Promise<string[]> {
  await using bundle = await rolldown({
    input: { main: join(root, 'src/client/main.ts') },
    platform: 'node',
    external: isExternal,
    cwd: root, // paths of the sources are relative to it
    experimental: { resolveNewUrlToAsset: true }, // its manifest, which is read as a file
  })
  const { output } = await bundle.write({ ...WRITTEN, dir: folder, assetFileNames: '[name][extname]' })
  const files = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : file.originalFileNames))
  return files.map((file) => relative(root, resolve(root, file))).filter((path) => path.startsWith(join('src', sep)))
}

const WRITTEN = {
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  comments: { legal: true, annotation: false, jsdoc: false },
} as const

/** Tells packages that stay where they are. */
function isExternal(id: string): boolean {
  return /^[^./]/.test(id) && !INLINED.some((name) => id === name || id.startsWith(`${name}/`))
}

/** Replaces the bundle of a checkout file by file, so that a running service always finds complete files. */
async function bundleCheckout(stamp: string): Promise<void> {
  const made = join(root, `.build/${process.pid}`)
  try {
    await bundleService(made)
    for (const name of readdirSync(made)) renameSync(join(made, name), join(root, '.build', name))
    writeFileSync(join(root, '.build/stamp'), stamp)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

const [, program, stamp] = process.argv
if (program === fileURLToPath(import.meta.url) && stamp !== undefined) await bundleCheckout(stamp)
