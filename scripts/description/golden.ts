import { configurationMarkdown } from '../../src/config.ts'
import { openapi } from '../../src/http/openapi.ts'
import { version } from '../../src/version.ts'
import type { Laboratory } from './laboratory.ts'
import { settingsMarkdown } from './settings.ts'
import { experimentsText } from './sql.ts'
import { permissionsMarkdown, routesMarkdown } from './tables.ts'

/** A document that the declarations decide, by its path from the root of the project. */
export interface GoldenFile {
  readonly path: string
  readonly text: string
}

/** All of them, as they have to be. */
export async function goldenFiles(laboratory: Laboratory): Promise<GoldenFile[]> {
  const { registry, routes } = laboratory
  const files: GoldenFile[] = [
    { path: 'docs/configuration.md', text: configurationMarkdown() },
    { path: 'docs/generated/openapi.json', text: `${JSON.stringify(openapi(routes, version()), null, 2)}\n` },
    { path: 'docs/generated/permissions.md', text: permissionsMarkdown(registry, routes) },
    { path: 'docs/generated/settings.md', text: settingsMarkdown() },
    { path: 'docs/generated/routes.md', text: await routesMarkdown(routes, registry) },
  ]
  for (const resource of registry.values()) {
    const text = experimentsText(await laboratory.tryOut(resource))
    files.push({ path: `docs/generated/sql/${resource.plural}.sql`, text })
  }
  return files
}
