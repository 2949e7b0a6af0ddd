import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wrapText } from '../../src/cli/wrapped.ts'

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

/** Formats the import rules for ARCHITECTURE.md. */
export function formatLayers(): string {
  const { areas, beside, everyArea, layers, shared } = LAYERS
  const together = [...Map.groupBy(Object.entries(layers), ([, allowed]) => joinNames(allowed) || 'nothing')]
  const lines = together.map(([allowed, ones]) => `${joinNames(ones.map(([name]) => name))} -> ${allowed}`)
  const more = Object.entries(beside).map(([area, allowed]) => `${area} -> ${joinNames(allowed)}`)
  return [
    '```',
    ...[`shared: ${joinNames(shared)}`, ...lines],
    `areas/* -> ${joinNames(everyArea)}, shared, and those before them:`,
    wrapText(areas.join(' < '), '    '),
    'beside that:',
    wrapText(more.join('; '), '    '),
    '```',
  ].join('\n')
}

/** Describes what an area may import. */
export function formatAllowed(area: string): string {
  const { areas, beside, everyArea } = LAYERS
  const lower = areas.slice(0, areas.indexOf(area))
  const own = [...(beside[area] ?? []), ...everyArea].map((name) => `\`${name}\``).join(', ')
  return lower.length > 0 ? `${own}; by their doors ${lower.join(', ')}` : own
}

function joinNames(allowed: readonly string[]): string {
  return allowed.map((name) => name.replace(/\/$/, '')).join(', ')
}
