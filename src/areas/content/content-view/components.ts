import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { type FieldErrors, invalid } from '../../../errors.ts'
import type { Field } from '../../../kernel/index.ts'
import { readNumbers } from '../../../lib/values.ts'
import { buildIdsSchema } from '../../../requests/named.ts'
import { toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { selectComponentVersion } from './shapes.ts'

const DOC = 'Ids of the versions in a composite view. Replaces the list.'

/** A field for the components of a composite view, by the versions that they stand for (content-api §8.3). */
export function componentVersions(): Field<readonly number[]> {
  const ids = buildIdsSchema().nullable()
  return {
    kind: 'components',
    refersTo: { resource: 'content_view_version' },
    doc: DOC,
    writable: () => ({ [KEY]: { schema: () => ids.meta({ description: DOC }), coerce: toIds } }),
    readable: () => ({
      [KEY]: {
        schema: () => z.array(z.int()).meta({ description: 'Ids of the versions that its components stand for.' }),
        sql: selectVersionIds,
      },
    }),
    search: () => [],
    // Whether the versions are allowed is checked once the view is known.
    read: async (_ctx, _at, sent) => {
      const wanted = readNumbers(sent, KEY)
      if (wanted === null || wanted === undefined) return undefined
      return [...new Set(wanted)].sort((a, b) => a - b)
    },
    elsewhere: {
      sql: (_at, alias) => selectVersionIds(alias),
      store: (ctx, _at, view, value) => replace(ctx, view, value),
      auditedAs: () => KEY,
      tables: () => ['content_view_components', 'content_view_versions'],
    },
  }
}

const KEY = 'component_ids'

function toIds(sent: unknown): unknown {
  return Array.isArray(sent) ? sent.map(toInteger) : sent
}

function selectVersionIds(alias: string) {
  const version = selectComponentVersion('of_k')
  return sql`array(select ${version} from content_view_components of_k
    where of_k.composite_content_view_id = ${sql.ref(`${alias}.id`)} and ${version} is not null order by 1)`
}

/** Replaces components; those that stand for one of the versions stay as they are. */
async function replace(ctx: Context, view: number, versions: readonly number[]): Promise<void> {
  const kept = sql`coalesce(${selectComponentVersion('c')}, 0)`
  await sql`delete from content_view_components c
    where c.composite_content_view_id = ${view} and not ${kept} = any (${versions}::bigint[])`.execute(ctx.db)
  await sql`
    insert into content_view_components (composite_content_view_id, content_view_id, content_view_version_id)
    select ${view}::bigint, n.content_view_id, n.id from content_view_versions n
    where n.id = any (${versions}::bigint[])
      and not exists (select from content_view_components c where c.composite_content_view_id = ${view} and ${kept} = n.id)`.execute(
    ctx.db,
  )
}

/** A view that is to be a component. */
interface ComponentPart {
  readonly id: number
  readonly composite: boolean
  readonly default: boolean
  readonly generated: boolean
}

/** The composite view that gets components. */
export interface Whole {
  readonly id: number | null
  readonly organization: number | null
  readonly composite: boolean
}

/** Refuses versions that cannot be components of the view, or not together. {@throws Failure} invalid */
export async function refuseVersions(ctx: Context, whole: Whole, versions: readonly number[]): Promise<void> {
  if (versions.length === 0) return
  const views = await rows<{ id: number }>(
    ctx.db,
    sql`select content_view_id as id from content_view_versions where id = any (${versions}::bigint[])`,
  )
  await refuseParts(
    ctx,
    whole,
    views.map(({ id }) => id),
  )
}

/** Refuses views that cannot be components of the view, or not together. {@throws Failure} invalid */
export async function refuseParts(ctx: Context, whole: Whole, views: readonly number[]): Promise<void> {
  const parts = await rows<ComponentPart>(
    ctx.db,
    sql`select id, composite, "default", generated_for <> 'none' as generated
      from content_views where id = any (${views}::bigint[])`,
  )
  const twice = views.find((view, place) => views.indexOf(view) !== place)
  const messages = [
    whole.composite ? null : 'Cannot add component versions to a non-composite content view',
    parts.some(({ composite }) => composite) ? 'Cannot add composite versions to a composite content view' : null,
    parts.some((part) => part.default) ? 'Cannot add default content view to composite content view' : null,
    parts.some(({ generated }) => generated)
      ? 'Cannot add generated content view versions to composite content view'
      : null,
    twice === undefined ? null : `Another component already includes content view with ID ${twice}`,
  ].filter((message) => message !== null)
  if (messages.length === 0) return
  const errors: FieldErrors = { 'content_view_components.base': messages }
  throw invalid(errors, whole.id)
}
