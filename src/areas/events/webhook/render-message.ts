import { type Context, hasPermission } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { findResource, joinConditions, limitToVisible } from '../../../kernel/index.ts'
import { membersOf } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'
import {
  Hash,
  type HostValue,
  isTemplate,
  renderLoading,
  Sym,
  TemplateError,
  type TemplateFunction,
} from '../../../templates/index.ts'
import { findEventName } from '../../../words/event-names.ts'
import { toPlain } from '../../provisioning/index.ts'
import type { CloudEvent } from '../feed/cloud-event.ts'
import type { Acting } from './dispatch.ts'
import { loadObject } from './record-reader.ts'
import { EVENT_CONTENT, findUrlProblem, parseHeaders } from './rendered.ts'

/** The parts of a webhook that are templates, or may be. */
export interface Templates {
  readonly id: number
  readonly url: string
  readonly type: string
  readonly headerTemplate: string | null
  readonly template: { readonly name: string; readonly text: string } | null
  readonly newValues: unknown
}

/** What is sent, and where to. */
export interface Rendered {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A message that cannot be rendered; the message has the part and the line. */
export class RenderingError extends Error {
  override readonly name = 'RenderingError'
}

/** The message of a webhook without a template whose content is not the event. */
const SHORT = '<%= payload({ id: @object.id }) -%>'

/** Renders the message about an event as the owner of the webhook may see its record now. {@throws RenderingError} */
export async function renderMessage(
  acting: Acting,
  owner: Context,
  webhook: Templates,
  event: CloudEvent,
): Promise<Rendered> {
  const { template, type } = webhook
  const isPlain = template === null && type === EVENT_CONTENT
  if (isPlain && !isTemplate(webhook.url) && webhook.headerTemplate === null)
    return { url: webhook.url, headers: {}, body: JSON.stringify(event) }
  const world = await buildWorld(acting, owner, webhook, event)
  const render = createRenderer(acting, owner, world)
  const around = await renderAround(render, webhook)
  if (isPlain) return { ...around, body: JSON.stringify(event) }
  return { ...around, body: await render(template?.name ?? 'the short message', template?.text ?? SHORT) }
}

/** Renders a message whose body is given, such as a ping: tags in its URL and headers read no record. {@throws RenderingError} */
export async function renderGiven(acting: Acting, owner: Context, webhook: Templates, body: string): Promise<Rendered> {
  const world: World = { variables: { '@webhook_id': webhook.id, '@payload': body }, functions: {} }
  return { ...(await renderAround(createRenderer(acting, owner, world), webhook)), body }
}

interface World {
  readonly variables: Readonly<Record<string, HostValue>>
  readonly functions: Readonly<Record<string, TemplateFunction>>
}

type Render = (name: string, text: string) => Promise<string>

function createRenderer({ registry }: Acting, owner: Context, world: World): Render {
  return async (name, text) => {
    try {
      return await renderLoading(text, { ...world, name }, (wanted) => loadSnippet(owner, registry, wanted))
    } catch (error) {
      if (error instanceof TemplateError) throw new RenderingError(`${name}: ${error.message}`)
      throw error
    }
  }
}

async function renderAround(render: Render, { url: given, headerTemplate }: Templates) {
  const url = (await render('target_url', given)).trim()
  // The host stands before the first tag: this holds it fast whatever the tags yield.
  if (findUrlProblem(url) !== null || new URL(url).origin !== new URL(given.split('<%', 1)[0] ?? '').origin)
    throw new RenderingError(`target_url: ${JSON.stringify(url.slice(0, 200))} is no URL of this receiver`)
  const headers = headerTemplate === null ? {} : parseHeaders(await render('header_template', headerTemplate))
  if (headers === null) throw new RenderingError('header_template: this is no JSON object of headers')
  return { url, headers }
}

async function buildWorld(
  { db, registry }: Acting,
  owner: Context,
  webhook: Templates,
  event: CloudEvent,
): Promise<World> {
  const { record, user, request_id } = event.data
  const author = user?.id ? await row<{ admin: boolean }>(db, sql`select admin from users where id = ${user.id}`) : null
  const context = {
    request: request_id ?? null,
    session: null,
    user_login: user?.login ?? null,
    user_admin: author?.admin ?? null,
    org_id: null,
    loc_id: null,
  }
  const event_name = findEventName(event.type, webhook.newValues) ?? findEventName(event.type, null) ?? event.type
  const defaults = { event_name, webhook_id: webhook.id, context }
  const payload = { id: record.id, ...(record.resource === 'host' && { hostname: record.name }) }
  return {
    variables: {
      '@event_name': event_name,
      '@webhook_id': webhook.id,
      '@context': toSymbols(context),
      '@payload': toSymbols(payload),
      '@object': await loadObject(owner, registry, event),
    },
    functions: { payload: ({ args, named, fail }) => formatPayload(defaults, args[0], named, fail) },
  }
}

function toSymbols(members: Readonly<Record<string, HostValue>>): ReadonlyMap<HostValue, HostValue> {
  return new Map(Object.entries(members).map(([key, value]) => [new Sym(key), value]))
}

/** Formats `payload({ … })`: the members and the circumstances of the event, which win. */
function formatPayload(
  defaults: Readonly<Record<string, unknown>>,
  given: HostValue,
  named: ReadonlyMap<string, HostValue>,
  fail: (message: string) => never,
): string {
  if (given !== undefined && !(given instanceof Hash)) fail('payload takes a hash')
  const { with_defaults: isWhole = true, ...further } = Object.fromEntries(named)
  const own = Object.entries(further).map(([key, value]): [string, unknown] => [key, toPlain(value)])
  const members = Object.entries(membersOf(toPlain(given))).concat(
    own,
    isWhole === false ? [] : Object.entries(defaults),
  )
  return JSON.stringify(Object.fromEntries(members))
}

async function loadSnippet(owner: Context, registry: Acting['registry'], name: string): Promise<string | null> {
  const permission = 'view_webhook_templates'
  const templates = findResource(registry, 'webhook_template')
  const seen = hasPermission(owner, permission)
    ? joinConditions(limitToVisible(owner, templates, permission))
    : sql`false`
  const found = await row<{ template: string }>(
    owner.db,
    sql`select t.template from webhook_templates t where t.name = ${name} and t.snippet and ${seen}`,
  )
  return found?.template ?? null
}
