import { type Context, hasPermission } from '../../../context.ts'
import {
  type Action,
  type Condition,
  findResource,
  joinConditions,
  limitToScope,
  limitToVisible,
  permissionOf,
  type Resource,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { requireShared } from '../override-value/guard.ts'
import { findName, findSource } from './find-source.ts'
import { facts, isOn, readExcept, readSent } from './import-request.ts'
import { type Imported, importClasses } from './importing.ts'
import type { EnvironmentReport, Kind } from './report.ts'

const DONE = 'Successfully updated environment and configclasses from the on-disk config installation'
const NOTHING = 'No changes to your environments detected'
const UNKNOWN = 'The requested environment cannot be found.'

/** The actions that import classes of all environments of a smart proxy, or of one (smart-parameters §6.1). */
export const imports: readonly Action[] = [
  {
    ...facts,
    method: 'POST',
    path: '/:id/import_configclasses',
    name: 'import_configclasses',
    notInBatch: true,
    handle: (ctx, { registry }, input) => answer(ctx, registry, input, { proxy: input.params.id, environment: null }),
  },
  {
    ...facts,
    method: 'POST',
    path: '/:smart_proxy_id/environments/:id/import_configclasses',
    name: 'import_configclasses_of_environment',
    handle: (ctx, { registry }, input) =>
      answer(ctx, registry, input, { proxy: input.params.smart_proxy_id, environment: input.params.id ?? null }),
  },
]

/** Imports one environment of a proxy, at the path that begins with the environment. */
export const importIntoEnvironment: Action = {
  ...facts,
  method: 'POST',
  path: '/:environment_id/smart_proxies/:id/import_configclasses',
  name: 'import_configclasses',
  notInBatch: true,
  handle: (ctx, { registry }, input) =>
    answer(ctx, registry, input, { proxy: input.params.id, environment: input.params.environment_id ?? null }),
}

interface ImportRequest {
  readonly proxy: string | undefined
  readonly environment: string | null
}

async function answer(
  ctx: Context,
  registry: Resource['registry'],
  input: Input,
  { proxy = '', environment }: ImportRequest,
): Promise<Answer> {
  const environments = findResource(registry, 'environment')
  const source = await findSource(ctx, findResource(registry, 'smart_proxy'), proxy, readSent(input, 'source'))
  const only = environment === null ? null : await findName(ctx, environments, environment)
  const except = readExcept(input)
  const order = {
    only,
    dryrun: isOn(input, 'dryrun'),
    force: isOn(input, 'force'),
    except,
    seen: joinConditions(limitToSeen(ctx, environments)),
  }
  // `force` also deletes values that operators have set, whoever may see them.
  if (order.force && !order.dryrun) requireShared(ctx)
  return { status: 200, body: bodyOf(await importClasses(ctx, source, order), only) }
}

/**
 * Conditions that leave the environments that the caller may see; an import does not touch others (smart-parameters
 * §6.2).
 */
function limitToSeen(ctx: Context, environments: Resource): readonly Condition[] {
  const permissions = ['import_environments', permissionOf(environments, 'view')]
  const permission = permissions.find((one) => hasPermission(ctx, one))
  return permission ? limitToVisible(ctx, environments, permission) : limitToScope(ctx, environments)
}

function bodyOf({ reports, isFound }: Imported, only: string | null): unknown {
  const [first] = reports
  if (!first) return { message: isFound || only === null ? NOTHING : UNKNOWN }
  if (only !== null) return { message: DONE, results: first }
  const countKind = (kind: Kind) => reports.filter(({ actions }: EnvironmentReport) => actions.includes(kind)).length
  return {
    message: DONE,
    environments_with_new_configclasses: countKind('new'),
    environments_updated_configclasses: countKind('updated'),
    environments_obsolete: countKind('obsolete'),
    environments_ignored: countKind('ignored'),
    results: reports,
  }
}
