import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Layers {
  /** Folders that everything above the database may import. */
  readonly shared: readonly string[]
  /** Areas, lowest first: each may import those before it, through their index.ts. */
  readonly areas: readonly string[]
  /** Folders that every area may import. */
  readonly everyArea: readonly string[]
  /** Further folders that single areas may import. */
  readonly beside: Readonly<Record<string, readonly string[]>>
  /** What all other folders may import. */
  readonly layers: Readonly<Record<string, readonly string[]>>
}

/** The import rules; `.dependency-cruiser.cjs` builds its rules from the same file. */
export const LAYERS = JSON.parse(readFileSync(join(import.meta.dirname, '../layers.json'), 'utf8')) as Layers

/** Shared folders that import nothing, and single files that import only these. */
const BASE: ReadonlySet<string> = new Set(Object.keys(LAYERS.layers).filter(isBase))

function isBase(name: string): boolean {
  const allowed = LAYERS.layers[name]
  if (name.includes('/')) return LAYERS.shared.includes(name) && allowed?.length === 0
  return allowed?.every(isBase) ?? false
}

/** Draws the import rules for ARCHITECTURE.md: a diagram whose arrows lead from a part to those that it may import. */
export function drawLayers(): string {
  const imports = groupImports()
  const all = new Set([...imports.keys(), ...[...imports.values()].flatMap((targets) => [...targets])])
  const idOf = (part: string) => `p${[...all].indexOf(part)}`
  const boxes = [...all].map((part) => `  ${idOf(part)}["${labelOf(part)}"]`)
  const arrows = [...imports].flatMap(([part, targets]) => {
    const nearest = [...targets].filter((target) => ![...targets].some((other) => reaches(imports, other, target)))
    return nearest.length > 0 ? [`  ${idOf(part)} --> ${nearest.map(idOf).join(' & ')}`] : []
  })
  return ['```mermaid', 'flowchart TD', ...boxes, ...arrows, '```'].join('\n')
}

/** Groups the rules by the parts of the diagram: all areas are one part, and so are shared folders and single files. */
function groupImports(): Map<string, Set<string>> {
  const { beside, everyArea, layers } = LAYERS
  const rules = [
    ...Object.entries(layers),
    ['areas', [...everyArea, ...Object.values(beside).flat(), 'shared']] as const,
  ]
  const imports = new Map<string, Set<string>>()
  for (const [name, allowed] of rules) {
    const part = partOf(name)
    const targets = allowed.map(partOf).filter((target) => target !== part)
    imports.set(part, new Set([...(imports.get(part) ?? []), ...targets]))
  }
  return imports
}

function partOf(name: string): string {
  if (name === 'doors') return 'areas'
  if (BASE.has(name)) return 'base'
  if (LAYERS.shared.includes(name)) return 'shared'
  return name === 'areas/index.ts' ? name : name.replace(/\/.*|\.ts$/, '')
}

function labelOf(part: string): string {
  if (part === 'base') return `base: ${joinNames([...BASE])}`
  if (part === 'shared') return `shared: ${joinNames(LAYERS.shared.filter((name) => !BASE.has(name)))}`
  return part === 'areas' ? `areas: ${LAYERS.areas.join(', ')}` : part
}

/** Tells whether a part imports another, directly or through others. */
function reaches(imports: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string, seen = [from]): boolean {
  const next = [...(imports.get(from) ?? [])].filter((part) => !seen.includes(part))
  return next.some((part) => part === to || reaches(imports, part, to, [...seen, part]))
}

/** Lists the parts that an area may import. */
export function formatAllowed(area: string): string {
  const { areas, beside, everyArea } = LAYERS
  const lower = areas.slice(0, areas.indexOf(area))
  const own = [...(beside[area] ?? []), ...everyArea].map((name) => `\`${name}\``).join(', ')
  return lower.length > 0 ? `${own}; by their doors ${lower.join(', ')}` : own
}

function joinNames(allowed: readonly string[]): string {
  return allowed.map((name) => name.replace(/\/$/, '')).join(', ')
}
