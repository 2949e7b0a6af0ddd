import { COMMAND_NAMES } from '../../src/cli/run.ts'
import { formatConfigurationMarkdown } from '../../src/config/config.ts'
import { buildOpenApi } from '../../src/http/pages/openapi.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import type { Route } from '../../src/requests/route.ts'
import { readVersion } from '../../src/version.ts'
import { buildPages } from './areas.ts'
import { formatExamples } from './examples.ts'
import type { Experiment, Laboratory } from './laboratory.ts'
import { formatManifest } from './manifest.ts'
import { type Described, formatOpenapi } from './openapi.ts'
import { formatSettingsMarkdown } from './settings.ts'
import { formatSql } from './sql-once.ts'
import { formatStatementsMarkdown } from './statements.ts'
import { formatPermissionsMarkdown } from './tables.ts'

/** A generated document, by its path from the root of the project. */
export interface GoldenFile {
  readonly path: string
  readonly text: string
}

/** Generates all documents. */
export async function generateGoldenFiles(laboratory: Laboratory): Promise<GoldenFile[]> {
  const { registry, routes } = laboratory
  const files: GoldenFile[] = [
    { path: 'docs/configuration.md', text: formatConfigurationMarkdown() },
    ...buildPages(registry, routes),
    ...buildOpenapiFiles(routes, [...registry.values()]),
    { path: 'migrations/indexes.json', text: await laboratory.formatIndexes() },
    { path: 'docs/generated/permissions.md', text: formatPermissionsMarkdown(registry, routes) },
    { path: 'docs/generated/settings.md', text: formatSettingsMarkdown() },
  ]
  const tried = new Map<string, readonly Experiment[]>()
  for (const resource of registry.values()) tried.set(resource.plural, await laboratory.tryOut(resource))
  const recorded = await laboratory.recordActions()
  const statements = [...formatSql(tried)].map(([name, text]) => ({ path: `docs/generated/sql/${name}`, text }))
  return [
    ...files,
    { path: 'docs/generated/statements.md', text: formatStatementsMarkdown(tried) },
    { path: 'docs/generated/examples.json', text: formatExamples(tried, recorded) },
    ...statements,
  ]
}

function buildOpenapiFiles(routes: readonly Route[], resources: readonly Resource[]): GoldenFile[] {
  const document = buildOpenApi(routes, readVersion()) as unknown as Described // the type leaves most keys open
  const texts = [...formatOpenapi(document)].map(([name, text]) => ({ path: `docs/generated/openapi/${name}`, text }))
  return [...texts, { path: 'src/client/manifest.json', text: formatManifest(document, resources, COMMAND_NAMES) }]
}
