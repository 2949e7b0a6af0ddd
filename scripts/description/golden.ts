import { COMMAND_NAMES } from '../../src/cli/run.ts'
import { formatConfigurationMarkdown } from '../../src/config.ts'
import { buildOpenApi } from '../../src/http/openapi.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import type { Route } from '../../src/kernel/route.ts'
import { version } from '../../src/version.ts'
import { pages } from './areas.ts'
import type { Experiment, Laboratory } from './laboratory.ts'
import { manifestText } from './manifest.ts'
import { type Described, openapiTexts } from './openapi.ts'
import { settingsMarkdown } from './settings.ts'
import { sqlTexts } from './sql-once.ts'
import { statementsMarkdown } from './statements.ts'
import { permissionsMarkdown } from './tables.ts'

/** A generated document, by its path from the root of the project. */
export interface GoldenFile {
  readonly path: string
  readonly text: string
}

/** Generates all documents. */
export async function goldenFiles(laboratory: Laboratory): Promise<GoldenFile[]> {
  const { registry, routes } = laboratory
  const files: GoldenFile[] = [
    { path: 'docs/configuration.md', text: formatConfigurationMarkdown() },
    ...pages(registry, routes),
    ...openapiFiles(routes, [...registry.values()]),
    { path: 'docs/generated/permissions.md', text: permissionsMarkdown(registry, routes) },
    { path: 'docs/generated/settings.md', text: settingsMarkdown() },
  ]
  const tried = new Map<string, readonly Experiment[]>()
  for (const resource of registry.values()) tried.set(resource.plural, await laboratory.tryOut(resource))
  const statements = [...sqlTexts(tried)].map(([name, text]) => ({ path: `docs/generated/sql/${name}`, text }))
  return [...files, { path: 'docs/generated/statements.md', text: statementsMarkdown(tried) }, ...statements]
}

function openapiFiles(routes: readonly Route[], resources: readonly Resource[]): GoldenFile[] {
  const document = buildOpenApi(routes, version()) as unknown as Described // the type leaves most keys open
  const texts = [...openapiTexts(document)].map(([name, text]) => ({ path: `docs/generated/openapi/${name}`, text }))
  return [...texts, { path: 'src/client/manifest.json', text: manifestText(document, resources, COMMAND_NAMES) }]
}
