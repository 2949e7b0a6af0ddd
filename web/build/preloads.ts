import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ResourceShort } from '../src/resources/description.ts'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** The query with which a list is asked for when its address says nothing else (web/src/resources/list/query.ts). */
const FIRST_PAGE = '?page=1&per_page=20&organization_id=&location_id='

interface Preloaded {
  readonly files: readonly string[]
  readonly permissions: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

/**
 * Writes `preloads.json`: the scripts and style sheets of a page besides those that every page has, and what it first asks the
 * API for, by the first word of its address, with the permissions of which that needs one. The shell names them, so that
 * browsers load them in parallel.
 */
export function writePreloads(folder: string, generated: string): void {
  const path = join(folder, 'manifest.json')
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'))
  const everywhere = new Set(filesOf(manifest, 'index.html'))
  const listBeside = (...names: string[]) => [
    ...new Set(names.flatMap((name) => filesOf(manifest, name)).filter((file) => !everywhere.has(file))),
  ]
  const dashboard = { files: listBeside('src/pages/dashboard/page.tsx'), permissions: [] }
  const preloads: Record<string, Preloaded> = { '': dashboard }
  const resources: readonly ResourceShort[] = JSON.parse(readFileSync(join(generated, 'index.json'), 'utf8'))
  const lists = new Map(resources.map(({ plural, operations }) => [plural, operations.list]))
  for (const name of Object.keys(manifest)) {
    const [, plural] = /^src\/generated\/resources\/(\w+)\.json$/.exec(name) ?? []
    if (plural === undefined) continue
    const list = lists.get(plural)
    const asked = !list || list.path.includes(':') ? [] : [list.path.slice(1) + FIRST_PAGE]
    preloads[plural] = {
      files: [...listBeside('src/resources/list/page.tsx', name), ...asked],
      permissions: list?.own ? [] : (list?.permissions ?? []),
    }
  }
  writeFileSync(join(folder, 'preloads.json'), JSON.stringify(preloads))
  rmSync(path)
}

/** Lists a chunk and everything that it imports. */
function filesOf(manifest: Manifest, name: string, seen = new Set<string>()): string[] {
  const chunk = manifest[name]
  if (!chunk || seen.has(name)) return []
  seen.add(name)
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((one) => filesOf(manifest, one, seen))]
}
