import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import {
  type Draft,
  type Field,
  link,
  type ReadableKey,
  type Stored,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import { nestedList } from '../../../records/nested.ts'
import { toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { selectEffectiveColumn } from '../../inventory/index.ts'
import { findPairs, PAIR_VERSION, type PairIds, pairKeys } from '../shared/pair.ts'
import { requireVisible, visibleLink } from '../shared/visible-link.ts'

const PAIR_DOC = 'Id of the content view in the lifecycle environment, as newer clients name both at once.'

const fields = {
  content_source: link('smart_proxy', {
    onDelete: 'clear',
    doc: 'Recorded as the content source of its hosts. They get content from this service.',
  }),
  content_view: visibleLink(
    link('content_view', { onDelete: 'clear', doc: 'Content view of its hosts, in the lifecycle environment.' }),
  ),
  lifecycle_environment: visibleLink(
    link('lifecycle_environment', { onDelete: 'clear', doc: 'Lifecycle environment of its hosts.' }),
  ),
  content_view_environment: pairOfGroup(),
} as const

const hostgroupContentWrites: WriteWrapper<typeof fields> = {
  async create(ctx, draft, next) {
    const whole = withPair(draft)
    await refuseAbsent(ctx, whole, null)
    return next(whole)
  },
  async update(ctx, stored, draft, next) {
    const whole = withPair(draft)
    await refuseAbsent(ctx, whole, stored)
    await next(whole)
  },
}

/** Yields the draft with the view and the environment of the pair that was sent in their place. */
function withPair(draft: Draft): Draft {
  const { content_view_environment: pair, ...others } = draft
  if (pair === undefined) return draft
  const { view, environment } = (pair ?? { view: null, environment: null }) as Nullable<PairIds> // read by its field
  return { content_view: view, lifecycle_environment: environment, ...others }
}

type Nullable<Of> = { readonly [Key in keyof Of]: Of[Key] | null }

const PAIR = 'content_view_environment'

/** The field by which newer clients name the view and the environment of a group at once (newer-clients §2h). */
function pairOfGroup(): Field<PairIds | null> {
  return {
    kind: 'pair',
    doc: PAIR_DOC,
    writable: () => ({
      [`${PAIR}_id`]: {
        schema: () => z.int().positive().nullable().meta({ description: PAIR_DOC }),
        coerce: toInteger,
      },
    }),
    readable: () => ({ [`${PAIR}_id`]: pairId, [`${PAIR}s`]: pairs }),
    search: () => [],
    read: async (ctx, at, sent) => {
      const id = sent[`${PAIR}_id`]
      if (typeof id !== 'number') return id === null ? null : undefined
      const [pair = null] = await findPairs(ctx, `${PAIR}_id`, [id])
      if (pair) {
        await requireVisible(ctx, at.target('lifecycle_environment'), [pair.environment])
        await requireVisible(ctx, at.target('content_view'), [pair.view])
      }
      return pair
    },
  }
}

const inForce = (column: string, alias: string) => selectEffectiveColumn(alias, column)

const pairId: ReadableKey = {
  schema: () => z.int().nullable().meta({ description: PAIR_DOC }),
  sql: (alias) => sql`(select c.id from content_view_environments c
    where c.content_view_id = ${inForce('content_view_id', alias)} and c.environment_id = ${inForce('lifecycle_environment_id', alias)})`,
}

const pairs: ReadableKey = nestedList('The view in the environment, as a list of one or none.', (_own, alias) => ({
  keys: pairKeys(),
  from: sql`content_views v join lifecycle_environments e on e.id = ${inForce('lifecycle_environment_id', alias)}
    ${PAIR_VERSION} where v.id = ${inForce('content_view_id', alias)} and c.id is not null`,
  order: sql`v.id`,
}))

/** The contribution of content to host groups: the pair of their hosts, and further keys that clients send. */
export const hostgroupContent = {
  fields,
  keys: [
    'content_source_id',
    'content_source_name',
    'content_view_id',
    'content_view_name',
    'lifecycle_environment_id',
    'lifecycle_environment_name',
    'content_view_environment_id',
    'content_view_environments',
  ],
  readable: {
    content_view_name: nameInForce('content_view_id', 'content_views'),
    lifecycle_environment_name: nameInForce('lifecycle_environment_id', 'lifecycle_environments'),
  },
  wrapWrite: hostgroupContentWrites,
} as const

function nameInForce(column: string, table: string): ReadableKey {
  return {
    schema: () =>
      z.string().nullable().meta({ description: 'Name of the effective record: its own or an inherited one.' }),
    sql: (alias) =>
      sql`(select x.name from ${sql.table(table)} x where x.id = ${selectEffectiveColumn(alias, column)})`,
  }
}

/** Refuses a group with a default view, or with a view that is not in its environment. {@throws Failure} invalid */
async function refuseAbsent(
  ctx: Context,
  draft: Draft<typeof fields>,
  stored: Stored<typeof fields> | null,
): Promise<void> {
  const {
    content_view: view = stored?.content_view_id,
    lifecycle_environment: environment = stored?.lifecycle_environment_id,
  } = draft
  if (draft.content_view === undefined && draft.lifecycle_environment === undefined) return
  const found = await row<{ view: string; generated: boolean; environment: string | null; present: boolean }>(
    ctx.db,
    sql`
      select v.name as view, v.generated_for <> 'none' as generated, e.name as environment,
        exists (select from content_view_environments p where p.content_view_id = v.id and p.environment_id = e.id) as present
      from content_views v left join lifecycle_environments e on e.id = ${environment ?? null}::bigint
      where v.id = ${view ?? null}::bigint`,
  )
  if (found?.generated)
    throw invalid({ content_view_id: ['is a generated content view, which hosts cannot get'] }, stored?.id ?? null)
  if (found && found.environment !== null && !found.present)
    throw invalid(
      { content_view_id: [`must be in the lifecycle environment: '${found.view}' is not in '${found.environment}'`] },
      stored?.id ?? null,
    )
}
