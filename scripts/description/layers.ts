import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wrapped } from '../../src/cli/wrapped.ts'

interface Layers {
  /** What everything above the database may use. */
  readonly shared: readonly string[]
  /** Lowest first: each may use those before it, by their doors. */
  readonly areas: readonly string[]
  /** What every area may use. */
  readonly everyArea: readonly string[]
  /** What single areas may use beside that. */
  readonly beside: Readonly<Record<string, readonly string[]>>
  /** What everything else may use. */
  readonly layers: Readonly<Record<string, readonly string[]>>
}

/** Who may import what: `.dependency-cruiser.cjs` makes its rules of the same file. */
export const LAYERS = JSON.parse(readFileSync(join(import.meta.dirname, '../layers.json'), 'utf8')) as Layers

/** The rules as the map shows them. */
export function layersText(): string {
  const { areas, beside, everyArea, layers, shared } = LAYERS
  const together = [...Map.groupBy(Object.entries(layers), ([, allowed]) => names(allowed) || 'nothing')]
  const lines = together.map(([allowed, ones]) => `${names(ones.map(([name]) => name))} -> ${allowed}`)
  const more = Object.entries(beside).map(([area, allowed]) => `${area} -> ${names(allowed)}`)
  return [
    '```',
    ...[`shared: ${names(shared)}`, ...lines],
    `areas/* -> ${names(everyArea)}, shared, and those before them:`,
    wrapped(areas.join(' < '), '    '),
    'beside that:',
    wrapped(more.join('; '), '    '),
    '```',
  ].join('\n')
}

/** What an area may use, in words. */
export function allowedText(area: string): string {
  const { areas, beside, everyArea } = LAYERS
  const lower = areas.slice(0, areas.indexOf(area))
  const own = [...(beside[area] ?? []), ...everyArea].map((name) => `\`${name}\``).join(', ')
  return lower.length > 0 ? `${own}; by their doors ${lower.join(', ')}` : own
}

function names(allowed: readonly string[]): string {
  return allowed.map((name) => name.replace(/\/$/, '')).join(', ')
}
