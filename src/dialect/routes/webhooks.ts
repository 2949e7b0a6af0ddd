import { z } from 'zod'
import { Failure, invalid } from '../../errors.ts'
import { copyLazy } from '../../lib/lazy.ts'
import { idOf, isMembers, type Members, membersOf, resultsOf } from '../../lib/values.ts'
import type { Answer, Route } from '../../requests/route.ts'
import { toBoolean } from '../../requests/sent.ts'
import { DEFAULT_PAYLOAD_TEMPLATE, EVENT_NAMES, findEventName, findMeaning } from '../../words/event-names.ts'
import { readId } from '../confirmation.ts'
import { NOTHING } from '../filtered-lists.ts'
import type { Handle } from '../shapes.ts'

const GROUP = 'webhooks'

/** The list of the events that a webhook of clients can be for, as they name them. */
export function webhookRoutes(routes: readonly Route[]): Route[] {
  const list = routes.find(({ id }) => id === 'webhooks.list')
  if (!list) return []
  return [
    {
      method: 'GET',
      path: '/api/webhooks/events',
      id: 'webhooks.events',
      group: GROUP,
      summary: 'List the events that webhooks can be for',
      access: list.access,
      answers: { 200: z.array(z.string()) },
      handle: async () => ({ status: 200, body: EVENT_NAMES }),
    },
  ]
}

/** Converts the routes of webhooks to the keys of clients, for whom a webhook has one event (events 2a.1). */
export function withVendorWebhooks(routes: readonly Route[]): Route[] {
  const templates = routes.find(({ id }) => id === 'webhook_templates.list')
  return routes.map((route) => {
    const { handle } = route
    switch (route.id) {
      case 'webhooks.list':
        return copyLazy(route, { handle: withTheirKeys(handle, LISTED), answers: { 200: z.json() } })
      case 'webhooks.show':
      case 'webhooks.delete':
        return copyLazy(route, { handle: withTheirKeys(handle, SHOWN), answers: { 200: z.json() } })
      case 'webhooks.test':
        return copyLazy(route, { handle: withTheirRefusal(withTheirKeys(handle, SHOWN)), answers: { 200: z.json() } })
      case 'webhooks.create': {
        const inner = withTheirKeys(withOurKeys(withDefaults(handle, templates)), SHOWN)
        return copyLazy(route, { handle: inner, body: buildBody(true), answers: { 201: z.json() } })
      }
      case 'webhooks.update': {
        const inner = withTheirKeys(withOurKeys(handle), SHOWN)
        return copyLazy(route, { handle: inner, body: buildBody(false), answers: { 200: z.json() } })
      }
      default:
        return route
    }
  })
}

type Show = (record: Members) => unknown

const LISTED = ['id', 'name', 'target_url', 'enabled', 'created_at', 'updated_at']

const SHOWN: Readonly<Record<string, Show>> = {
  ...Object.fromEntries(LISTED.map((key) => [key, (record: Members) => record[key]])),
  event: nameEvents,
  http_method: ({ http_method }) => http_method,
  http_content_type: ({ http_content_type }) => http_content_type,
  verify_ssl: ({ verify_ssl }) => verify_ssl,
  proxy_authorization: () => false,
  http_headers: ({ header_template }) => header_template,
  ssl_ca_certs: ({ ssl_ca_certs }) => ssl_ca_certs,
  user: ({ http_user }) => http_user,
  password_set: ({ http_password_set }) => http_password_set,
  webhook_template: ({ webhook_template_id: id, webhook_template_name: name }) =>
    id === null || id === undefined ? null : { id, name },
}

/** Names the event of a webhook; several, and those that clients have no name for, are shown as they are chosen here. */
function nameEvents({ events, new_values }: Members): string {
  const patterns = Array.isArray(events) ? events.map(String) : []
  const [only = ''] = patterns
  return (patterns.length === 1 && findEventName(only, new_values)) || patterns.join(',')
}

/** Shows webhooks in the keys of clients. */
function withTheirKeys(handle: Handle, shown: typeof SHOWN | typeof LISTED): Handle {
  const present = (record: unknown) => (isMembers(record) ? presentWebhook(record, shown) : record)
  return async (ctx, input) => {
    const answer = await handle(ctx, input)
    if (!isMembers(answer.body)) return answer
    if (!Array.isArray(answer.body.results)) return { ...answer, body: present(answer.body) }
    return { ...answer, body: { ...answer.body, results: resultsOf(answer.body).map(present) } }
  }
}

function presentWebhook(record: Members, shown: typeof SHOWN | typeof LISTED): Members {
  if (Array.isArray(shown)) return Object.fromEntries(shown.map((key) => [key, record[key]]))
  return Object.fromEntries(Object.entries(shown).map(([key, show]) => [key, show(record)]))
}

/** Keys of clients, and ours for the same value. */
const KEYS = { user: 'http_user', password: 'http_password', http_headers: 'header_template' } as const

/** Reads webhooks in the keys of clients. {@throws Failure} invalid, in the keys that were sent */
function withOurKeys(handle: Handle): Handle {
  return (ctx, input) => {
    const sent = membersOf(isMembers(input.body[ROOT]) ? input.body[ROOT] : input.body)
    const webhook = readWebhook(sent, readId(input))
    return handle(ctx, { ...input, body: { [ROOT]: webhook } }).catch((error: unknown) => {
      throw error instanceof Failure && error.code === 'invalid' ? nameAsSent(error, sent) : error
    })
  }
}

const ROOT = 'webhook'

/** Keys that are shown, but say nothing when they are sent back. */
const ONLY_SHOWN = new Set(['webhook_template', 'password_set'])

function readWebhook(sent: Members, id: number | null): Members {
  const { event, proxy_authorization, ...others } = sent
  if (toBoolean(proxy_authorization ?? false) === true)
    throw invalid({ proxy_authorization: ['must be false: the service has no certificate for receivers'] }, id)
  const renamed = Object.entries(KEYS).flatMap(([theirs, ours]) => (theirs in sent ? [[ours, sent[theirs]]] : []))
  const kept = Object.entries(others).filter(([key]) => !ONLY_SHOWN.has(key) && !(key in KEYS))
  return Object.fromEntries([...kept, ...renamed, ...(event === undefined ? [] : Object.entries(readEvent(event)))])
}

/** Names refused fields by the keys that were sent for them. */
function nameAsSent(failure: Failure, sent: Members): Failure {
  const words = new Map<string, string>(
    Object.entries(KEYS).flatMap(([theirs, ours]) => (theirs in sent ? [[ours, theirs] as const] : [])),
  )
  const errors = Object.entries(failure.details.errors ?? {}).map(([key, said]) => [words.get(key) ?? key, said])
  const details = { ...failure.details, errors: Object.fromEntries(errors) }
  return new Failure(failure.code, failure.message, details, { cause: failure })
}

/** Reads the name of an event, or patterns as they are shown; an unknown name counts as none, as existing servers have it. */
function readEvent(sent: unknown): Members {
  const name = String(sent ?? '').trim()
  const meaning = findMeaning(name)
  if (meaning) return { events: [meaning.type], new_values: meaning.values }
  const isPattern = /[*.,]/.test(name) && !/\.event\.|^actions\./i.test(name)
  return { events: isPattern ? name.split(',').map((one) => one.trim()) : [] }
}

/** Gives new webhooks the content and the template that they have on existing servers. */
function withDefaults(handle: Handle, templates: Route | undefined): Handle {
  return async (ctx, input) => {
    const sent = membersOf(input.body[ROOT])
    const { http_content_type: type, webhook_template_id: id, webhook_template_name: name } = sent
    const content = isBlank(type) ? { http_content_type: 'application/json' } : {}
    const template = isBlank(id) && isBlank(name) ? await findDefault(ctx, templates) : {}
    return handle(ctx, { ...input, body: { [ROOT]: { ...sent, ...content, ...template } } })
  }
}

function isBlank(sent: unknown): boolean {
  return sent === undefined || sent === null || sent === ''
}

/** Finds the template of new webhooks; callers who cannot see it get the same message without it. */
async function findDefault(ctx: Parameters<Handle>[0], list: Route | undefined): Promise<Members> {
  const isPermitted = list?.access.kind === 'permission' && list.access.anyOf.some((name) => ctx.user.grants.has(name))
  if (!list || !(ctx.user.admin || isPermitted)) return {}
  const search = `name = ${JSON.stringify(DEFAULT_PAYLOAD_TEMPLATE)}`
  const { body } = await list.handle(ctx, { ...NOTHING, query: { search } })
  const [found] = resultsOf(body)
  return found ? { webhook_template_id: idOf(found) } : {}
}

/** Answers a failed test in one message. */
function withTheirRefusal(handle: Handle): Handle {
  return (ctx, input) =>
    handle(ctx, input).catch((error: unknown): Answer => {
      const said =
        error instanceof Failure && error.code === 'invalid' ? Object.values(error.details.errors ?? {}).flat() : []
      if (said.length === 0) throw error
      return { status: 422, body: { error: { message: said.join(', ') } } }
    })
}

/** Builds the schema of the bodies of clients, from which they derive their options. */
function buildBody(isNew: boolean): z.ZodType {
  const text = (description: string) => z.string().nullish().meta({ description })
  const flag = (description: string) => z.boolean().nullish().meta({ description })
  const requireText = (description: string) => (isNew ? z.string() : z.string().optional()).meta({ description })
  const webhook = z.object({
    name: requireText('Unique name'),
    target_url: requireText('URL that is called'),
    http_method: z.enum(['POST', 'GET', 'PUT', 'DELETE', 'PATCH']).nullish().meta({ description: 'HTTP method' }),
    http_content_type: text('Content type'),
    event: requireText('Event that the webhook is for'),
    webhook_template_id: z.int().nullish().meta({ description: 'Id of the template of the body' }),
    enabled: flag('Whether it is called'),
    verify_ssl: flag('Whether the certificate of the receiver is verified'),
    ssl_ca_certs: text('Certificates of authorities in PEM format'),
    proxy_authorization: flag('Must be false: no certificate is sent to receivers'),
    user: text('User of basic authentication'),
    password: text('Password of basic authentication'),
    http_headers: text('Headers as a JSON object, which may have tags'),
  })
  return z.object({ [ROOT]: webhook.meta({ description: 'The webhook' }) })
}
