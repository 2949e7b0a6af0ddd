import { asTrustedService, type Context, inTransaction } from '../../../context.ts'
import {
  createRecord,
  findResource,
  lock,
  type Registry,
  type Resource,
  readDraft,
  validate,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { quoteForShell } from '../script.ts'
import { changeRegisteredHost } from './change-registered-host.ts'
import { type Options, readOptionsOfToken } from './options.ts'
import { findRegisteredHost } from './registered-host.ts'
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
