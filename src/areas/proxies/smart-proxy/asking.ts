import { type Context, inTransaction } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type FieldErrors, invalid } from '../../../errors.ts'
import {
  type Action,
  type Draft,
  type Field,
  lock,
  type Resource,
  readBack,
  type Stored,
  type Unstored,
  type WritableKey,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { type Feature, readToldFeatures, requestFeatures, UnansweredError } from '../features.ts'
import { transportOf } from '../transport.ts'

const NO_URL = 'URL must be valid and schema must be one of http and https'
const NO_CREDENTIALS = 'must not carry a user and a password: everybody who sees the proxy would see them'

/** The features that a proxy told, or why it told none. */
type ProbeResult = { readonly features: readonly Feature[] } | { readonly problems: readonly string[] }

/** A sent URL and the answer from there; null if it was not asked, because a proxy has the URL already. */
interface SentUrl {
  readonly url: string
  readonly asked: ProbeResult | null
}

/** The URL of a proxy. Validation sends a request to it, before the transaction. */
export function probedUrl<F extends Field<string | null>>(field: F): F {
  return {
    ...field,
    writable: (at): Readonly<Record<string, WritableKey>> => {
      const { url } = field.writable(at)
      if (!url) return {}
      return {
        url: {
          language: 'URL',
          schema: () =>
            url
              .schema()
              .refine((value) => value === '' || isWebUrl(value), NO_URL)
              .refine((value) => !hasCredentials(value), NO_CREDENTIALS),
          coerce: (sent) => withoutSlash(url.coerce ? url.coerce(sent) : sent),
          prepare: async (ctx, sent): Promise<SentUrl> => ({
            url: String(sent),
            asked: ctx.proxies.told
              ? { features: readToldFeatures(ctx.proxies.told) }
              : (await isKnown(ctx, String(sent)))
                ? null
                : await ask(ctx, String(sent)),
          }),
        },
      }
    },
    read: async (_ctx, _at, { url }) => readSentUrl(url)?.url ?? (url as string | undefined), // the schema guarantees text
  }
}

/** The answer of the proxy at a new URL: only stored, never shown or audited as a value of this field. */
export function probedFeatures(): Field<ProbeResult> & Unstored {
  return {
    kind: 'asked',
    doc: 'Features of the smart proxy.',
    writable: () => ({}),
    readable: () => ({}),
    search: () => [],
    read: async (_ctx, _at, { url }) => readSentUrl(url)?.asked ?? undefined,
    saveNested: (ctx, _at, id, asked) => store(ctx, id, 'features' in asked ? asked.features : []),
  }
}

type Asked = {
  readonly runner: Field<string>
  readonly url: Field<string | null>
  readonly features: Field<ProbeResult>
}

/** Requires an answer of proxies that execute runs themselves; proxies that are only a way to hosts need not answer. */
export function validateProxyAnswer(
  { runner, features: asked }: Draft<Asked>,
  draft: Draft<Asked>,
): FieldErrors | undefined {
  if (!asked || draft.url === undefined || !('problems' in asked)) return undefined
  return (runner ?? 'proxy') === 'proxy' ? { base: [...asked.problems] } : undefined
}

/** Asks a proxy for its present features (core-api §11). */
export const refresh: Action = {
  method: 'PUT',
  path: '/:id/refresh',
  name: 'refresh',
  summary: 'Ask a smart proxy which features it has now',
  record: { how: 'found', keys: ['id', 'url'] },
  handle: refreshFeatures,
}

async function refreshFeatures(ctx: Context, resource: Resource, _input: Input, proxy: Stored): Promise<Answer> {
  const { id } = proxy
  const url = String(proxy.url)
  const asked = await ask(ctx, url)
  if ('problems' in asked) throw invalid({ base: [...asked.problems] }, id)
  return inTransaction(ctx, async (tx) => {
    await refuseMoved(await lock(tx, resource, id), url)
    await store(tx, id, asked.features)
    return { status: 200, body: await readBack(tx, resource, id) }
  })
}

/** Refuses an answer from a URL that the proxy no longer has. */
function refuseMoved(stored: Stored, url: string): void {
  if (stored.url !== url) throw invalid({ base: ['The URL changed at the same time, please try again'] }, stored.id)
}

async function ask(ctx: Context, url: string): Promise<ProbeResult> {
  try {
    const features = await requestFeatures(url, transportOf(ctx))
    return features.length > 0 ? { features } : { problems: [NO_FEATURES] }
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
    return { problems: [`Unable to communicate with the proxy: ${error.message}`, CHECK] }
  }
}

const NO_FEATURES = 'No features found on this proxy, please make sure you enable at least one feature'
const CHECK = 'Please check the proxy is configured and running on the host.'

/** Whether a proxy has this URL already: this one, or another one, which is refused later. */
async function isKnown(ctx: Context, url: string): Promise<boolean> {
  return (await row(ctx.db, sql`select from smart_proxies where url = ${url}`)) !== undefined
}

/** Replaces the features of a proxy. The record changes only if they differ. */
async function store(ctx: Context, id: number, features: readonly Feature[]): Promise<void> {
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(features)}::jsonb) as wanted (name text collate "C", capabilities jsonb, settings jsonb)`
  await sql`insert into features (name) select name from ${wanted} order by name on conflict do nothing`.execute(ctx.db)
  const changed = await row<{ changed: boolean }>(
    ctx.db,
    sql`
      with kept as (
        select f.id, wanted.capabilities, wanted.settings from ${wanted} join features f using (name)
      ), gone as (
        delete from smart_proxy_features where smart_proxy_id = ${id} and feature_id not in (select id from kept) returning 1
      ), written as (
        insert into smart_proxy_features as l (smart_proxy_id, feature_id, capabilities, settings)
        select ${id}::bigint, id, capabilities, settings from kept
        on conflict (smart_proxy_id, feature_id) do update set capabilities = excluded.capabilities, settings = excluded.settings
        where (l.capabilities, l.settings) is distinct from (excluded.capabilities, excluded.settings)
        returning 1
      )
      select exists (select from gone) or exists (select from written) as changed`,
  )
  if (changed?.changed) await sql`update smart_proxies set updated_at = now() where id = ${id}`.execute(ctx.db)
}

function readSentUrl(url: unknown): SentUrl | undefined {
  return typeof url === 'object' && url !== null ? (url as SentUrl) : undefined // `prepare` makes the only objects
}

function withoutSlash(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\/+$/, '') : value
}

function isWebUrl(value: unknown): boolean {
  const url = URL.parse(String(value))
  return url !== null && /^https?:\/\/[^\s]+$/i.test(String(value)) && !url.search && !url.hash
}

function hasCredentials(value: unknown): boolean {
  const url = URL.parse(String(value))
  return url !== null && (url.username !== '' || url.password !== '')
}
