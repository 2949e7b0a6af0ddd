import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Field, FieldPosition, Unstored } from '../../../kernel/index.ts'
import { BLANK, toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { VIEW_ENVIRONMENT_LABEL } from '../../registration/index.ts'
import { buildPairIdsSchema, findPairs } from '../shared/pair.ts'
import { requireVisible } from '../shared/visible-link.ts'
import { facet } from './content-facet-shown.ts'
import { type ContentHost, findContentHost, recordHostChange } from './content-host.ts'

const DOC = 'Its content views in environments: the first one, and all of them.'

const VIEW = 'The content view.'
const ENVIRONMENT = 'The environment that has a version of it.'
const id = z.preprocess(toInteger, z.int().positive())
const reference = (description: string) =>
  z.looseObject({ id: id.meta({ description: 'Its id.' }) }).meta({ description })
const ENTRY = z.union([
  z.object({
    content_view_id: id.meta({ description: VIEW }),
    lifecycle_environment_id: id.meta({ description: ENVIRONMENT }),
  }),
  z.object({ content_view: reference(VIEW), lifecycle_environment: reference(ENVIRONMENT) }),
  z.string(),
])
const idOrNone = z.preprocess(toInteger, z.int().positive().nullable())
const noId = (key: string, why: string) =>
  z
    .preprocess(toInteger, z.null({ error: `${key} must be blank: ${why}` }))
    .optional()
    .meta({ description: `Null or blank: ${why}.` })
const SENT = z
  .object({
    content_view_id: idOrNone.optional().meta({ description: VIEW }),
    lifecycle_environment_id: idOrNone.optional().meta({ description: ENVIRONMENT }),
    content_view_environments: z
      .preprocess(
        splitLabels,
        z.array(ENTRY, { error: 'must be a list of labels such as dev/web, or of objects with both ids' }),
      )
      .optional()
      .meta({ description: 'All of them, in order; replaces the list.' }),
    content_view_environment_ids: buildPairIdsSchema().optional(),
    content_source_id: noId('content_source_id', 'hosts get content from this service alone'),
    kickstart_repository_id: noId('kickstart_repository_id', 'hosts are installed from their medium'),
  })
  .nullable()
/** Splits text with labels at its commas. */
function splitLabels(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  const labels = sent.split(',').map((label) => label.trim())
  return labels.filter((label) => label !== '')
}

/** The values of a request about the pairs of a host. */
export type ContentFacetBody = z.infer<typeof SENT>

/** A content view in a lifecycle environment, by ids. */
interface Pair {
  readonly view: number
  readonly environment: number
}

/** A stored pair with its labels. */
interface StoredPair extends Pair {
  readonly label: string
}

/**
 * `content_facet_attributes` of a host (content-api §5.3, §9): its pairs, which a registration sets and an edit may
 * change. Half a pair is completed from the host's present pair; null removes all.
 */
export function contentFacet(): Field<ContentFacetBody> & Unstored {
  return {
    kind: 'content facet',
    doc: DOC,
    writable: ({ name }) => ({
      [`${name}_attributes`]: { schema: () => SENT.meta({ description: DOC }) },
    }),
    readable: ({ name }) => ({
      [`${name}_attributes`]: facet,
    }),
    search: () => [],
    read: async (_ctx, { name }, sent) => sent[`${name}_attributes`] as ContentFacetBody | undefined, // its schema
    saveNested: async (tx, at, host, sent) => storeSent(tx, at, await findContentHost(tx, host), sent),
  }
}

async function storeSent(tx: Context, at: FieldPosition, host: ContentHost, sent: ContentFacetBody): Promise<void> {
  const before = await pairsOf(tx, host.id)
  const wanted = await resolvePairs(tx, host, sent, before)
  if (areSamePairs(before, wanted)) return
  await requireVisible(tx, at.target('content_view'), listNew(wanted, before, 'view'))
  await requireVisible(tx, at.target('lifecycle_environment'), listNew(wanted, before, 'environment'))
  await refuseUnfit(tx, host, wanted)
  await store(tx, host.id, wanted)
  const after = await pairsOf(tx, host.id)
  const labelsOf = (pairs: readonly StoredPair[]) => pairs.map(({ label }) => label)
  await recordHostChange(tx, at.target('host'), host, {
    content_view_environments: [labelsOf(before), labelsOf(after)],
  })
}

async function pairsOf(tx: Context, host: number): Promise<StoredPair[]> {
  return rows<StoredPair>(
    tx.db,
    sql`select l.content_view_id as view, l.environment_id as environment, ${VIEW_ENVIRONMENT_LABEL} as label
      from host_environments l join content_views v on v.id = l.content_view_id
      join lifecycle_environments e on e.id = l.environment_id where l.host_id = ${host} order by l.position`,
  )
}

/** Resolves the pairs that the host is to have. {@throws Failure} invalid for a contradictory request */
async function resolvePairs(
  tx: Context,
  host: ContentHost,
  sent: ContentFacetBody,
  before: readonly Pair[],
): Promise<readonly Pair[]> {
  if (sent === null) return []
  const { content_view_id: view, lifecycle_environment_id: environment, content_view_environments: list } = sent
  const ids = sent.content_view_environment_ids
  if (list || ids) {
    const pairs = list
      ? await findListed(tx, host, list)
      : await findPairs(tx, 'content_view_environment_ids', ids ?? [])
    const [first] = pairs
    const agrees =
      (view === undefined || view === (first?.view ?? null)) &&
      (environment === undefined || environment === (first?.environment ?? null))
    if (!agrees) throw createRefusal(host, DISAGREE)
    if (new Set(pairs.map((pair) => `${pair.view} ${pair.environment}`)).size < pairs.length)
      throw createRefusal(host, 'Content view environments must not contain an entry twice')
    return pairs
  }
  const [first] = before
  if (view === undefined && environment === undefined) return before
  const pair = {
    view: view === undefined ? first?.view : view,
    environment: environment === undefined ? first?.environment : environment,
  }
  if (first && pair.view === first.view && pair.environment === first.environment) return before
  if (before.length > 1) throw createRefusal(host, SEVERAL)
  if (typeof pair.view === 'number' && typeof pair.environment === 'number')
    return [{ view: pair.view, environment: pair.environment }]
  if (typeof pair.view !== 'number' && typeof pair.environment !== 'number') return []
  throw invalid({ [typeof pair.view === 'number' ? 'lifecycle_environment_id' : 'content_view_id']: [BLANK] }, host.id)
}

const DISAGREE =
  'content_view_id and lifecycle_environment_id are the first of content_view_environments: send either, or let them agree'
const SEVERAL =
  'The host has several content view environments: send all that it is to have as content_view_environments'

function createRefusal({ id }: ContentHost, message: string) {
  return invalid({ base: [message] }, id)
}

/** Finds the pairs of a list. {@throws Failure} invalid for unknown labels */
async function findListed(tx: Context, host: ContentHost, list: readonly z.infer<typeof ENTRY>[]): Promise<Pair[]> {
  const labels = list.filter((entry) => typeof entry === 'string')
  const found = await rows<StoredPair>(
    tx.db,
    sql`select p.content_view_id as view, p.environment_id as environment, ${VIEW_ENVIRONMENT_LABEL} as label
      from content_view_environments p join content_views v on v.id = p.content_view_id
      join lifecycle_environments e on e.id = p.environment_id
      where e.organization_id = ${host.organization_id}::bigint and ${VIEW_ENVIRONMENT_LABEL} = any (${labels}::text[])`,
  )
  const byLabel = new Map(found.map((pair) => [pair.label, pair]))
  const unknown = labels.filter((label) => !byLabel.has(label)).slice(0, 100)
  if (unknown.length > 0)
    throw invalid(
      { content_view_environments: [`${unknown.join(', ')} are not labels of content view environments`] },
      host.id,
    )
  return list.flatMap((entry) => (typeof entry === 'string' ? (byLabel.get(entry) ?? []) : pairOf(entry)))
}

function pairOf(entry: Exclude<z.infer<typeof ENTRY>, string>): Pair {
  if ('content_view_id' in entry) return { view: entry.content_view_id, environment: entry.lifecycle_environment_id }
  return { view: entry.content_view.id, environment: entry.lifecycle_environment.id }
}

function areSamePairs(before: readonly Pair[], wanted: readonly Pair[]): boolean {
  return (
    before.length === wanted.length &&
    before.every(({ view, environment }, n) => wanted[n]?.view === view && wanted[n]?.environment === environment)
  )
}

/** The ids of new views (environments), which the caller has to be allowed to view. */
function listNew(wanted: readonly Pair[], before: readonly Pair[], half: keyof Pair): number[] {
  const known = new Set(before.map((pair) => pair[half]))
  return wanted.map((pair) => pair[half]).filter((one) => !known.has(one))
}

/** Refuses views that are not in their environment, of another organization or default views (content-api §2.6). */
async function refuseUnfit(tx: Context, host: ContentHost, wanted: readonly Pair[]): Promise<void> {
  if (wanted.length === 0) return
  const found = await rows<{ view: string; environment: string; reason: 'foreign' | 'generated' | 'absent' }>(
    tx.db,
    sql`select v.name as view, e.name as environment,
        case when v.organization_id is distinct from ${host.organization_id}::bigint or e.organization_id is distinct from ${host.organization_id}::bigint then 'foreign'
          when v.generated_for <> 'none' then 'generated' else 'absent' end as reason
      from ${entriesOf(wanted)} join content_views v on v.id = w.view join lifecycle_environments e on e.id = w.environment
      where v.organization_id is distinct from ${host.organization_id}::bigint or e.organization_id is distinct from ${host.organization_id}::bigint
        or v.generated_for <> 'none'
        or not exists (select from content_view_environments p where p.content_view_id = v.id and p.environment_id = e.id)
      order by w.place`,
  )
  const messages = found.map(({ view, environment, reason }) => {
    if (reason === 'generated') return 'Generated content views cannot be assigned to hosts or activation keys'
    if (reason === 'absent') return `Content view '${view}' is not in environment '${environment}'`
    return `Content view '${view}' and environment '${environment}' must belong to the organization of the host`
  })
  if (messages.length > 0) throw invalid({ base: [...new Set(messages)] }, host.id)
}

async function store(tx: Context, host: number, wanted: readonly Pair[]): Promise<void> {
  await sql`delete from host_environments where host_id = ${host}`.execute(tx.db)
  if (wanted.length === 0) return
  await sql`insert into host_environments (host_id, position, content_view_id, environment_id)
    select ${host}::bigint, w.place - 1, w.view, w.environment from ${entriesOf(wanted)}`.execute(tx.db)
}

function entriesOf(pairs: readonly Pair[]): Sql {
  return sql`unnest(${pairs.map(({ view }) => view)}::bigint[], ${pairs.map(({ environment }) => environment)}::bigint[])
    with ordinality w (view, environment, place)`
}
