import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, Failure } from '../../../errors.ts'
import { hasPermission, limitToVisible, notVisible, permissionOf } from '../../../kernel/authorize.ts'
import { type Condition, joinConditions } from '../../../kernel/condition.ts'
import type { Action, Input, Resource } from '../../../kernel/definition.ts'
import type { Answer } from '../../../kernel/facts.ts'
import { findResource } from '../../../kernel/registry.ts'
import { limitToScope } from '../../../kernel/scope.ts'
import { selectRecord } from '../../../kernel/store/select.ts'
import { membersOf } from '../../../values.ts'
import { transportOf } from '../../proxies/index.ts'
import { requireShared } from '../override-value/guard.ts'
import { type Imported, importClasses } from './importing.ts'
import { ENVIRONMENT_REPORT, type EnvironmentReport, KINDS, type Kind } from './report.ts'
import type { ClassSource } from './source.ts'
import { createProxySource, proxyKeyOf } from './sources/proxy.ts'
import { createServerSource, serverUrlOf } from './sources/server.ts'

const DONE = 'Successfully updated environment and configclasses from the on-disk config installation'
const NOTHING = 'No changes to your environments detected'
const UNKNOWN = 'The requested environment cannot be found.'
const NO_SOURCE = 'No proxy found to import classes from, ensure that the smart proxy has the Config feature enabled.'

const ENVIRONMENTS = z.union([z.array(ENVIRONMENT_REPORT), ENVIRONMENT_REPORT])
const counter = (doc: string) => z.int().optional().meta({ description: doc })
const flag = z.union([z.boolean(), z.string(), z.number()]).nullish()

const facts = {
  summary: 'Import config classes from a smart proxy',
  permissions: ['import_configclasses', 'import_environments'],
  body: z.object({
    dryrun: flag.meta({ description: 'Only says what an import would do.' }),
    except: z
      .string()
      .nullish()
      .meta({
        description: `Parts of the import to skip, any of ${KINDS.join(', ')} some, with commas between them.`,
        examples: ['obsolete'],
      }),
    force: flag.meta({
      description: 'Also what somebody has set is removed where the environment has its class or parameter no longer.',
    }),
    source: z.enum(['proxy', 'server']).nullish().meta({
      description: 'Address that is asked: of the smart proxy, or of the server of the configuration engine behind it.',
    }),
  }),
  output: z.object({
    message: z.string().meta({ description: 'Description of the result.' }),
    environments_with_new_configclasses: counter('Environments that classes come into.'),
    environments_updated_configclasses: counter('Environments with classes whose parameters change.'),
    environments_obsolete: counter('Environments that classes leave, or that are gone.'),
    environments_ignored: counter('Environments of which something is kept out by the settings.'),
    results: ENVIRONMENTS.optional().meta({ description: 'By environment; one alone where only that was asked for.' }),
  }),
} as const

/** The actions that import classes of all environments of a smart proxy, or of one (smart-parameters §6.1). */
export const imports: readonly Action[] = [
  {
    ...facts,
    method: 'POST',
    path: '/:id/import_configclasses',
    name: 'import_configclasses',
    alone: true,
    long: true,
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
  alone: true,
  long: true,
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
  // With `force` values of operators are deleted.
  if (order.force && !order.dryrun) requireShared(ctx)
  return { status: 200, body: bodyOf(await importClasses(ctx, source, order), only) }
}

/**
 * Conditions that leave the environments that the caller may see; others are not imported into (smart-parameters §6.2).
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

/**
 * Finds the source of a proxy. {@throws Failure} not_found for an invisible proxy, no_import_source for one without
 * classes
 */
async function findSource(ctx: Context, proxies: Resource, segment: string, wanted: unknown): Promise<ClassSource> {
  const permission = permissionOf(proxies, 'view')
  const seen = hasPermission(ctx, permission)
    ? limitToVisible(ctx, proxies, permission)
    : [{ sql: sql`false`, tables: [] }]
  const found = await selectRecord(ctx.db, proxies, ['id', 'url'], segment, seen)
  if (!found) throw notVisible(ctx, proxies, permission, segment)
  const { id, url } = z.object({ id: z.int(), url: z.string() }).parse(found)
  const feature = await row<{ settings: Readonly<Record<string, unknown>> | null }>(
    ctx.db,
    sql`select l.settings from smart_proxy_features l join features f on f.id = l.feature_id
      where l.smart_proxy_id = ${id} and f.name = 'Config'`,
  )
  if (!feature) throw new Failure('no_import_source', NO_SOURCE)
  const reach = transportOf(ctx)
  if (wanted === undefined || wanted === null || wanted === '' || wanted === 'proxy')
    return createProxySource(id, { ...reach, url })
  if (wanted !== 'server') throw badParameter('source', wanted, 'must be proxy or server')
  const server = serverUrlOf(feature.settings ?? {})
  if (server === null)
    throw badParameter('source', wanted, 'the smart proxy does not tell the URL of its server; refresh its features')
  return createServerSource({ key: proxyKeyOf(id), smartProxyId: id }, { ...reach, url: server })
}

/** Resolves the name of an environment from id or name; an unknown name may be known to the source. */
async function findName(ctx: Context, environments: Resource, segment: string): Promise<string> {
  const found = await selectRecord(ctx.db, environments, ['name'], segment, [])
  return found ? String(found.name) : segment
}

/** Reads the kinds to leave out. {@throws Failure} bad_parameter for unknown ones */
function readExcept(input: Input): ReadonlySet<Kind> {
  const sent = readSent(input, 'except') ?? ''
  if (typeof sent !== 'string') throw badParameter('except', sent, `must be text: some of ${KINDS.join(', ')}`)
  const words = sent.split(',').flatMap((word) => word.trim() || [])
  const kinds = KINDS.filter((kind) => words.includes(kind))
  if (kinds.length < new Set(words).size) throw badParameter('except', sent, `must be some of ${KINDS.join(', ')}`)
  return new Set(kinds)
}

/** Whether a flag is sent, with any value but false. */
function isOn(input: Input, name: string): boolean {
  const sent = readSent(input, name)
  return sent !== undefined && sent !== null && !['false', '0'].includes(String(sent))
}

/** A value from the body, which clients may wrap under the resource's name, or from the query. */
function readSent({ body, query }: Input, name: string): unknown {
  return body[name] ?? membersOf(body.smart_proxy)[name] ?? query[name]
}
