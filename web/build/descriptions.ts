import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleResources } from '../../src/areas/index.ts'
import { buildOpenApi } from '../../src/http/pages/openapi.ts'
import { listApiRoutes } from '../../src/service/api-routes.ts'
import { readVersion } from '../../src/version.ts'
import { describeReferences } from './references.ts'
import { describeResource } from './resource.ts'
import type { Document } from './schemas.ts'

/**
 * Writes what the console knows of the API: `index.json` with every resource in short, a file for each with its keys,
 * `references.json` with what values in audits refer to, and `api.d.ts` for the type checker.
 */
export async function writeDescriptions(folder: string, { withTypes }: { readonly withTypes: boolean }): Promise<void> {
  const registry = assembleResources()
  // Only handlers use the database, and none is called here.
  const asked = { registry, database: null as never, encryption: null as never, afterWrite: async () => undefined }
  const routes = listApiRoutes(asked, () => undefined)
  const openapi = buildOpenApi(routes, readVersion())
  const document = openapi as unknown as Document // its type leaves most keys open
  rmSync(join(folder, 'resources'), { recursive: true, force: true })
  mkdirSync(join(folder, 'resources'), { recursive: true })
  const described = [...registry.values()].map((resource) => describeResource(resource, registry, routes, document))
  const shown = described.filter(({ short }) => short.operations.list !== undefined)
  writeFileSync(join(folder, 'index.json'), JSON.stringify(shown.map(({ short }) => short)))
  for (const { short, full } of shown)
    writeFileSync(join(folder, 'resources', `${short.plural}.json`), JSON.stringify(full))
  writeFileSync(join(folder, 'references.json'), JSON.stringify(describeReferences(registry)))
  if (!withTypes) return
  const { astToString, default: openapiTS } = await import('openapi-typescript')
  const types = await openapiTS(JSON.parse(JSON.stringify(openapi)), { alphabetize: false })
  writeFileSync(join(folder, 'api.d.ts'), astToString(types))
}
