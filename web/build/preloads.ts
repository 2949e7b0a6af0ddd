import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

/**
 * Writes `preloads.json`: the scripts of a page besides those that every page has, by the first word of its address. The
 * shell names them, so that browsers load them in parallel.
 */
export function writePreloads(folder: string): void {
  const path = join(folder, 'manifest.json')
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'))
  const everywhere = new Set(filesOf(manifest, 'index.html'))
  const beside = (...names: string[]) => [
    ...new Set(names.flatMap((name) => filesOf(manifest, name)).filter((file) => !everywhere.has(file))),
  ]
  const preloads: Record<string, string[]> = { '': beside('src/pages/dashboard/page.tsx') }
  for (const name of Object.keys(manifest)) {
    const [, plural] = /^src\/generated\/resources\/(\w+)\.json$/.exec(name) ?? []
    if (plural !== undefined) preloads[plural] = beside('src/resources/list/page.tsx', name)
  }
  writeFileSync(join(folder, 'preloads.json'), JSON.stringify(preloads))
  rmSync(path)
}

/** Lists a chunk and everything that it imports. */
function filesOf(manifest: Manifest, name: string, seen = new Set<string>()): string[] {
  const chunk = manifest[name]
  if (!chunk || seen.has(name)) return []
  seen.add(name)
  return [chunk.file, ...(chunk.imports ?? []).flatMap((one) => filesOf(manifest, one, seen))]
}
