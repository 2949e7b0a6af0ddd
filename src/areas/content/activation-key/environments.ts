import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows, type Sql, selectObject } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Draft, Field, FieldPosition, Link, ReadableKey, Sent, Stored } from '../../../kernel/index.ts'
import { readNumbers, readText } from '../../../lib/values.ts'
import { nestedList, nestedObject } from '../../../records/nested.ts'
import { toIds, toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { VIEW_ENVIRONMENT_LABEL } from '../../registration/index.ts'
import { namedKeys } from '../shared/nested-records.ts'
import { buildPairIdsSchema, findPairs, PAIR_VERSION, type PairIds, pairKeys } from '../shared/pair.ts'
import { requireVisible } from '../shared/visible-link.ts'
import { resolveKeyOrganization } from './organization.ts'

/** A content view in the lifecycle environment that has a version of it. */
export interface Pair {
  readonly environment_id: number
  readonly content_view_id: number
}

const NOT_PAIRS = 'must be a list of labels such as Library/web, or of objects with environment_id and content_view_id'
const id = (what: string) => z.preprocess(toInteger, z.int().positive()).meta({ description: `Id of the ${what}.` })
const object = (what: string) => z.object({ id: id(what) }).meta({ description: `The ${what}, as answers show it.` })
const ITEM = z.union([
  z.object({ environment_id: id('environment'), content_view_id: id('content view') }),
  z.object({ environment: object('environment'), content_view: object('content view') }),
  z.string().trim(),
])
type Item = z.infer<typeof ITEM>

const DOC = 'Content views in environments that its hosts get content from, in order. Replaces the list.'

/**
 * The field for the pairs of a key, in order (content-api §9). The first pair is the environment and the content view
 * of the key, in its own columns; further pairs are in `activation_key_environments`.
 */
export function environmentList(): Field<readonly Pair[]> {
  const doc = DOC
  const items = z.array(ITEM, { error: NOT_PAIRS }).nullable()
  return {
    kind: 'pairs',
    doc,
    writable: ({ name }) => ({
      [name]: { schema: () => items.meta({ description: doc }), coerce: toList },
      [LABELS]: {
        schema: () =>
          z
            .string()
            .nullable()
            .meta({ description: `${doc} By labels with commas between them.` }),
      },
      [IDS]: { schema: buildPairIdsSchema, coerce: toIds },
    }),
    readable: ({ name }) => ({ [name]: entries }),
    search: () => [],
    read: async (ctx, at, sent) => {
      const ids = readNumbers(sent, IDS)
      if (ids && sent[at.name] === undefined) return findPairsOf(ctx, at, sent, toItems(await findPairs(ctx, IDS, ids)))
      const labels = readText(sent, LABELS)
      const list = (sent[at.name] ?? (labels === undefined ? undefined : toList(labels ?? ''))) as Item[] | undefined
      return list === undefined ? undefined : findPairsOf(ctx, at, sent, list)
    },
    elsewhere: {
      sql: (_at, alias) => selectWholeList(alias),
      store: (ctx, _at, key, value) => storeFurther(ctx, key, value),
      auditedAs: ({ name }) => name,
      tables: () => ['activation_key_environments', 'lifecycle_environments', 'content_views'],
    },
  }
}

/** The link to the environment, for paths and lists below environments: finds keys with it in any pair. */
export function inSomePair<F extends Field<number | null>>(field: F): F {
  return {
    ...field,
    within: (_at, alias, id) => ({
      sql: sql`(${sql.ref(`${alias}.environment_id`)} = ${id} or ${sql.ref(`${alias}.id`)} in (
      select f.activation_key_id from activation_key_environments f where f.environment_id = ${id}))`,
      tables: ['activation_key_environments'],
    }),
  }
}

const LABELS = 'content_view_environment_labels'
const IDS = 'content_view_environment_ids'

function toItems(pairs: readonly PairIds[]): Item[] {
  return pairs.map(({ view, environment }) => ({ content_view_id: view, environment_id: environment }))
}

/** Keys of answers that show the list in other forms (content-api §9). */
export const environmentKeys: Readonly<Record<string, ReadableKey>> = {
  [LABELS]: {
    schema: () => z.string().meta({ description: 'The labels of its content view environments, separated by commas.' }),
    sql: (alias) =>
      sql`coalesce((select string_agg(${VIEW_ENVIRONMENT_LABEL}, ',' order by p.position) from ${joinPairs(alias)}), '')`,
  },
  multi_content_view_environment: {
    schema: () => z.boolean().meta({ description: 'Whether it has several content view environments.' }),
    sql: (alias) =>
      sql`exists (select from activation_key_environments f where f.activation_key_id = ${sql.ref(`${alias}.id`)})`,
  },
}

/** The fields of a key that belong together. */
type PairFields = {
  readonly environment: Field<number | null> & Link
  readonly content_view: Field<number | null> & Link
  readonly content_view_environments: Field<readonly Pair[]>
}

/**
 * Resolves environment, content view and list of a key, which belong together (content-api §2.6). {@throws Failure}
 * invalid when they contradict each other, or the environment has no version of the view
 */
export async function resolveEnvironmentList(
  ctx: Context,
  draft: Draft<PairFields>,
  stored: Stored<PairFields> | null,
): Promise<Draft<PairFields>> {
  const list = draft[LIST]
  const given = { environment: draft.environment, content_view: draft.content_view }
  if (!list && given.environment === undefined && given.content_view === undefined) return {}
  const before = stored ? { environment: stored.environment_id, content_view: stored.content_view_id } : NOTHING
  const pair = { ...before, ...withoutUndefined(given) }
  // A half pair is in no list: a record that has one and is sent back has the half together with an empty list.
  if (list && (list.length > 0 || complete(pair).length > 0 || Object.keys(withoutUndefined(given)).length === 0)) {
    refuseDuplicates(list, stored)
    const first = { environment: list[0]?.environment_id ?? null, content_view: list[0]?.content_view_id ?? null }
    const agrees = (['environment', 'content_view'] as const).every(
      (name) => given[name] === undefined || given[name] === first[name],
    )
    if (!agrees) throw invalid({ base: [DISAGREE] }, stored?.id ?? null)
    await refuseUnfit(ctx, list, first, stored)
    return { ...first, [LIST]: list }
  }
  if (!stored && given.content_view === undefined) pair.content_view = await findDefaultView(ctx, pair.environment)
  if (pair.environment === before.environment && pair.content_view === before.content_view) return {}
  if (stored && !list && stored[LIST].length > 1) throw invalid({ base: [SEVERAL] }, stored.id)
  const whole = complete(pair)
  await refuseUnfit(ctx, whole, pair, stored)
  return { ...pair, [LIST]: whole }
}

const LIST = 'content_view_environments'

interface Whole {
  readonly environment: number | null
  readonly content_view: number | null
}
const NOTHING: Whole = { environment: null, content_view: null }
const DISAGREE =
  'environment_id and content_view_id are the first of content_view_environments: send either, or let them agree'
const SEVERAL =
  'The activation key has several content view environments: send all that it is to have as content_view_environments'

function withoutUndefined(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function complete({ environment, content_view }: Whole): Pair[] {
  if (environment === null || content_view === null) return []
  return [{ environment_id: environment, content_view_id: content_view }]
}

function refuseDuplicates(list: readonly Pair[], stored: { readonly id: number } | null): void {
  const known = new Set(list.map(({ environment_id, content_view_id }) => `${environment_id}/${content_view_id}`))
  if (known.size < list.length) throw invalid({ [LIST]: ['must not contain an entry twice'] }, stored?.id ?? null)
}

/** Finds the default view of the organization if the environment is the Library, the only one that has it; else null. */
async function findDefaultView(ctx: Context, environment: number | null): Promise<number | null> {
  if (environment === null) return null
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select v.id from content_views v join content_view_environments p on p.content_view_id = v.id
      where v."default" and p.environment_id = ${environment}`,
  )
  return found?.id ?? null
}

/** Refuses views that are not in their environment, and default views. A view without an environment is allowed. */
async function refuseUnfit(
  ctx: Context,
  list: readonly Pair[],
  { content_view }: Pick<Whole, 'content_view'>,
  stored: { readonly id: number } | null,
): Promise<void> {
  const views = [...list.map(({ content_view_id }) => content_view_id), content_view].filter((one) => one !== null)
  if (views.length === 0) return
  const found = await rows<{ view: string | null; environment: string | null }>(
    ctx.db,
    sql`select v.name as view, null as environment from content_views v
        where v.id = any (${views}::bigint[]) and v.generated_for <> 'none'
      union all
      select v.name, e.name
      from unnest(${list.map((pair) => pair.content_view_id)}::bigint[], ${list.map((pair) => pair.environment_id)}::bigint[]) as w (view, environment)
      join content_views v on v.id = w.view join lifecycle_environments e on e.id = w.environment
      where not exists (select from content_view_environments p where p.content_view_id = v.id and p.environment_id = e.id)`,
  )
  if (found.length === 0) return
  const messages = found.map(({ view, environment }) =>
    environment === null ? GENERATED : `Content view '${view}' is not in environment '${environment}'`,
  )
  throw invalid({ base: [...new Set(messages)] }, stored?.id ?? null)
}

const GENERATED = 'Generated content views cannot be assigned to hosts or activation keys'

/** Splits text with labels at its commas. */
function toList(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  const labels = sent.split(',').map((label) => label.trim())
  return labels.filter((label) => label !== '')
}

/** Finds pairs by ids or labels. {@throws Failure} not_found; invalid for unknown labels */
async function findPairsOf(ctx: Context, at: FieldPosition, sent: Sent, items: readonly Item[]): Promise<Pair[]> {
  const labels = items.filter((item) => typeof item === 'string')
  const named =
    labels.length > 0 ? await loadPairs(ctx, await resolveKeyOrganization(ctx, sent)) : new Map<string, Pair>()
  const unknown = labels.filter((label) => !named.has(label))
  if (unknown.length > 0)
    throw invalid({ [at.name]: [`${unknown.slice(0, 100).join(', ')} are not labels of content view environments`] })
  const pairs = items.flatMap((item) => (typeof item === 'string' ? (named.get(item) ?? []) : pairOf(item)))
  const environments = pairs.map(({ environment_id }) => environment_id)
  const views = pairs.map(({ content_view_id }) => content_view_id)
  await requireVisible(ctx, at.target('lifecycle_environment'), environments)
  await requireVisible(ctx, at.target('content_view'), views)
  return pairs
}

function pairOf(item: Exclude<Item, string>): Pair {
  if ('environment_id' in item) return { environment_id: item.environment_id, content_view_id: item.content_view_id }
  return { environment_id: item.environment.id, content_view_id: item.content_view.id }
}

async function loadPairs(ctx: Context, organization: number): Promise<Map<string, Pair>> {
  const found = await rows<Pair & { label: string }>(
    ctx.db,
    sql`select ${VIEW_ENVIRONMENT_LABEL} as label, p.environment_id, p.content_view_id from content_view_environments p
      join lifecycle_environments e on e.id = p.environment_id join content_views v on v.id = p.content_view_id
      where e.organization_id = ${organization}`,
  )
  return new Map(found.map(({ label, ...pair }) => [label, pairOf(pair)]))
}

/** Joins the pairs of a key with their records. */
function joinPairs(alias: string): Sql {
  return sql`(${selectPairsOfKey(alias)}) p join content_views v on v.id = p.content_view_id join lifecycle_environments e on e.id = p.environment_id`
}

/** Selects the pairs of the key with this alias, with their positions. */
export function selectPairsOfKey(alias: string): Sql {
  const selectOwn = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`select 0 as position, ${selectOwn('content_view_id')} as content_view_id, ${selectOwn('environment_id')} as environment_id
    where ${selectOwn('content_view_id')} is not null and ${selectOwn('environment_id')} is not null
    union all select f.position, f.content_view_id, f.environment_id from activation_key_environments f where f.activation_key_id = ${selectOwn('id')}`
}

const entries = nestedList(DOC, (_own, alias) => ({
  keys: { ...pairKeys(), environment: nestedObject('The environment.', namedKeys('environment', 'e')) },
  from: sql`${joinPairs(alias)} ${PAIR_VERSION}`,
  order: sql`p.position`,
}))

const PAIR = selectObject({ environment_id: sql`p.environment_id`, content_view_id: sql`p.content_view_id` })

function selectWholeList(alias: string): Sql {
  return sql`coalesce((select json_agg(${PAIR} order by p.position)
    from (${selectPairsOfKey(alias)}) p), '[]')`
}

/** Replaces the further pairs of a key by those of the list after the first. */
async function storeFurther(ctx: Context, key: number, list: readonly Pair[]): Promise<void> {
  await sql`delete from activation_key_environments where activation_key_id = ${key}`.execute(ctx.db)
  if (list.length < 2) return
  await sql`insert into activation_key_environments (activation_key_id, position, content_view_id, environment_id)
    select ${key}::bigint, w.position - 1, w.content_view_id, w.environment_id
    from unnest(${list.map((pair) => pair.content_view_id)}::bigint[], ${list.map((pair) => pair.environment_id)}::bigint[])
      with ordinality as w (content_view_id, environment_id, position) where w.position > 1`.execute(ctx.db)
}
