import { asTrustedService, type Context, hasPermission, inTransaction } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid, notFound } from '../../../errors.ts'
import {
  createRecord,
  findResource,
  joinConditions,
  limitToVisible,
  lock,
  type Registry,
  type Resource,
  readDraft,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
import { readObjects } from '../../../lib/values.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { withOtherParameters } from '../../parameters/index.ts'
import { quoteForShell } from '../authority/script.ts'
import type { TokenHolder } from '../tokens.ts'
import { type Options, readOptionsOfToken } from './options.ts'
import { answerScript, OF_HOST, requirePermission, type Served } from './script-answer.ts'

/**
 * `POST /register`: stores what the script sends after registering a host, or creates a host without content. A
 * registered host must have registered after the token was created, by its keys, because the token is not for other
 * hosts (content-api §5.1).
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
  const options = await readOptionsOfToken(ctx, registry, { ...input.body, ...sent }, holder)
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
      ? changeRegisteredHost(tx, hosts, await findRegisteredHost(tx, hosts, uuid, holder), values, options)
      : make(tx, hosts, {
          ...values,
          name,
          organization_id: holder.organization,
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

async function make(tx: Context, hosts: Resource, values: Record<string, unknown>): Promise<string> {
  const draft = await readDraft(tx, hosts, await validate(tx, hosts, values), null)
  const { name } = await lock(tx, hosts, await createRecord(asTrustedService(tx), hosts, draft))
  return String(name)
}

/**
 * Finds the registered host with this UUID and yields its id. {@throws Failure} not_found for a host that the caller cannot
 * reach, that is not what the token is for (in another organization, registered by other keys or before the token was
 * created), or that has another owner and that the caller may not edit
 */
async function findRegisteredHost(
  tx: Context,
  hosts: Resource,
  uuid: string,
  { created, organization, keys }: TokenHolder,
): Promise<number> {
  const editable = hasPermission(tx, 'edit_hosts')
    ? sql`(${joinConditions(limitToVisible(tx, hosts, 'edit_hosts'))})`
    : sql`false`
  const used = sql`from activation_key_hosts l join activation_keys k on k.id = l.activation_key_id where l.host_id = t.id`
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)
  const found = isUuid
    ? await row<{ id: number }>(
        tx.db,
        sql`
          select t.id from registrations r join hosts t on t.id = r.host_id
          where r.uuid = ${uuid}::uuid and r.registered_at >= ${created}::timestamptz
            and t.organization_id = ${organization} and (${tx.user.admin} or t.organization_id = any (${tx.user.organizations}::bigint[]))
            and exists (select ${used}) and not exists (select ${used} and k.name <> all (${[...keys]}::text[]))
            and (coalesce(t.owner_user_id, t.owner_usergroup_id) is null or t.owner_user_id = ${tx.user.id} or ${editable})`,
      )
    : undefined
  if (!found) throw notFound('host', uuid)
  return found.id
}

/** Applies the options of the script to the registered host; yields its name. */
async function changeRegisteredHost(
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
