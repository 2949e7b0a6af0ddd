import { sql } from 'kysely'
import { asTrustedService, type Context, inTransaction } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { Failure, invalid, notFound } from '../../../errors.ts'
import { hasPermission, limitToVisible } from '../../../kernel/authorize.ts'
import { joinConditions } from '../../../kernel/condition.ts'
import type { Input, Registry, Resource } from '../../../kernel/definition.ts'
import type { Answer } from '../../../kernel/facts.ts'
import { readDraft, validate } from '../../../kernel/input.ts'
import { lock } from '../../../kernel/operations/change.ts'
import { createRecord } from '../../../kernel/operations/create.ts'
import { updateStored } from '../../../kernel/operations/update.ts'
import { findResource } from '../../../kernel/registry.ts'
import { readObjects } from '../../../values.ts'
import { withOtherParameters } from '../../parameters/index.ts'
import { formatRegistrationScript, quoteForShell } from '../script.ts'
import type { TokenHolder } from '../tokens.ts'
import { resolveBaseUrl } from './command.ts'
import { type Options, readOptions, resolveKeyNames, resolveOrganization } from './options.ts'

/** Facts that the script needs about the service. */
export interface Served {
  readonly token: string
  readonly holder: TokenHolder
  /** PEM certificates of the service; null without TLS. */
  readonly certificates: string | null
}

/** `GET /register`: answers the script that registers a host (content-api §5.1), in the context of the token's user. */
export async function showScript(ctx: Context, registry: Registry, input: Input, served: Served): Promise<Answer> {
  requirePermission(ctx)
  const options = await readOptions(ctx, registry, input.query)
  const owner = await resolveOrganization(ctx, options)
  const script = formatRegistrationScript({
    base: await resolveBaseUrl(ctx, input, options),
    token: served.token,
    certificates: served.certificates,
    owner: owner.label,
    keys: await resolveKeyNames(ctx, options),
    host: sentOfHost(options, owner.id),
    packages: options.packages ?? [],
    repository: options.repo || null,
    repositoryKey: options.repo_gpg_key_url || null,
    updatePackages: options.update_packages === true,
    force: options.force === true,
    ignoreClientErrors: options.ignore_subman_errors === true,
    insecure: options.insecure === true,
  })
  return answerScript(script)
}

const OF_HOST = ['location_id', 'hostgroup_id', 'operatingsystem_id', 'lifecycle_environment_id'] as const
const SET_UP = ['setup_insights', 'setup_remote_execution'] as const

function sentOfHost(options: Options, organization: number): Record<string, string> {
  const ids = OF_HOST.flatMap((key) =>
    typeof options[key] === 'number' ? [[`host[${key}]`, String(options[key])]] : [],
  )
  const flags = SET_UP.flatMap((key) => (typeof options[key] === 'boolean' ? [[key, String(options[key])]] : []))
  return Object.fromEntries([
    ['host[build]', 'false'],
    ['host[organization_id]', String(organization)],
    ...ids,
    ...flags,
  ])
}

/**
 * `POST /register`: stores what the script sends after registering a host, or creates a host without content. A
 * registered host must have registered after the token was created, because the token is not for other hosts
 * (content-api §5.1).
 */
export async function storeHostOfScript(
  ctx: Context,
  registry: Registry,
  input: Input,
  { holder }: Served,
): Promise<Answer> {
  requirePermission(ctx)
  const hosts = findResource(registry, 'host')
  const sent = readHostValues(input.body)
  const options = await readOptions(ctx, registry, { ...input.body, ...sent })
  const { name, uuid } = { name: sent.name, uuid: input.body.uuid }
  const values = {
    ...Object.fromEntries(OF_HOST.slice(0, 3).flatMap((key) => (options[key] ? [[key, options[key]]] : []))),
    build: false,
    owner_id: ctx.user.id,
    owner_type: 'User',
    ...buildParameters(options),
  }
  const called = await inTransaction(ctx, async (tx) =>
    typeof uuid === 'string'
      ? change(tx, hosts, await findRegisteredHost(tx, hosts, uuid, holder), values, options)
      : make(tx, hosts, {
          ...values,
          name,
          organization_id: (await resolveOrganization(tx, options)).id,
          managed: false,
        }),
  )
  return answerScript(`echo ${quoteForShell(`# ${called} is known.`)}\n`)
}

/** Values of the form: keys like `host[name]`, or an object. */
function readHostValues(body: Input['body']): Record<string, unknown> {
  if (typeof body.host === 'object' && body.host !== null) return { ...body.host }
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) => {
      const name = /^host\[(\w+)\]$/.exec(key)?.[1]
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

function buildParameters({ setup_insights, setup_remote_execution }: Options): Record<string, unknown> {
  const items = [
    { name: 'host_registration_insights', value: setup_insights },
    { name: 'host_registration_remote_execution', value: setup_remote_execution },
  ].filter(({ value }) => typeof value === 'boolean')
  if (items.length === 0) return {}
  return { host_parameters_attributes: items.map((item) => ({ ...item, parameter_type: 'boolean' })) }
}

/**
 * Finds the registered host. {@throws Failure} not_found for a host that the caller cannot reach, or that registered
 * before the token was created or by somebody else, unless the caller may edit it
 */
async function findRegisteredHost(
  tx: Context,
  hosts: Resource,
  uuid: string,
  { created }: TokenHolder,
): Promise<number> {
  const editable = hasPermission(tx, 'edit_hosts')
    ? sql`(${joinConditions(limitToVisible(tx, hosts, 'edit_hosts'))})`
    : sql`false`
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)
  const found = isUuid
    ? await row<{ id: number }>(
        tx.db,
        sql`
          select t.id from registrations r join hosts t on t.id = r.host_id
          where r.uuid = ${uuid}::uuid and r.registered_at >= ${created}::timestamptz
            and (${tx.user.admin} or t.organization_id = any (${tx.user.organizations}::bigint[]))
            and (coalesce(t.owner_user_id, t.owner_usergroup_id) is null or t.owner_user_id = ${tx.user.id} or ${editable})`,
      )
    : undefined
  if (!found) throw notFound('host', uuid)
  return found.id
}

async function change(
  tx: Context,
  hosts: Resource,
  id: number,
  values: Record<string, unknown>,
  options: Options,
): Promise<string> {
  const stored = await lock(tx, hosts, id)
  const environment = options.lifecycle_environment_id
  const moved = typeof environment === 'number' ? await resolvePairsIn(tx, id, environment) : {}
  const parameters = readObjects(values, 'host_parameters_attributes')
  const kept = parameters && {
    host_parameters_attributes: await withOtherParameters(tx, 'host', id, parameters),
  }
  const validated = await validate(tx, hosts, { ...values, ...kept, ...moved })
  await updateStored(asTrustedService(tx), hosts, stored, await readDraft(tx, hosts, validated, stored))
  return String(stored.name)
}

/**
 * The pairs of the host with its first view in that environment. {@throws Failure} invalid when the environment has no
 * version of the view
 */
async function resolvePairsIn(tx: Context, host: number, environment: number): Promise<Record<string, unknown>> {
  const [first, ...others] = await rows<{ content_view_id: number; lifecycle_environment_id: number; there: boolean }>(
    tx.db,
    sql`
      select h.content_view_id, h.environment_id as lifecycle_environment_id, exists (
        select from content_view_environments l where l.content_view_id = h.content_view_id and l.environment_id = ${environment}) as there
      from host_environments h where h.host_id = ${host} order by h.position`,
  )
  if (!first?.there) throw invalid({ lifecycle_environment_id: ['does not have the content view of the host'] }, host)
  const moved = { content_view_id: first.content_view_id, lifecycle_environment_id: environment }
  const kept = others.filter(
    (pair) =>
      pair.content_view_id !== moved.content_view_id ||
      pair.lifecycle_environment_id !== moved.lifecycle_environment_id,
  )
  return { content_facet_attributes: { content_view_environments: [moved, ...kept] } }
}

async function make(tx: Context, hosts: Resource, values: Record<string, unknown>): Promise<string> {
  const draft = await readDraft(tx, hosts, await validate(tx, hosts, values), null)
  const { name } = await lock(tx, hosts, await createRecord(asTrustedService(tx), hosts, draft))
  return String(name)
}

/** Requires the permission that the user of the token has to have at present. */
function requirePermission(ctx: Context): void {
  if (!hasPermission(ctx, 'register_hosts'))
    throw new Failure('denied', 'The user of this command may not register hosts', {
      missingPermissions: ['register_hosts'],
    })
}

function answerScript(body: string): Answer {
  return { status: 200, body, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } }
}
