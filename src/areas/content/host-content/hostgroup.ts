import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Around, type Draft, link, type ReadableKey, type Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { selectEffectiveColumn } from '../../inventory/index.ts'
import { visibleLink } from '../shared/visible-link.ts'

const fields = {
  content_source: link('smart_proxy', {
    onDelete: 'clear',
    doc: 'A smart proxy that is noted as where its hosts get content from. They get it from this service.',
  }),
  content_view: visibleLink(
    link('content_view', { onDelete: 'clear', doc: 'Content view of its hosts, in the lifecycle environment.' }),
  ),
  lifecycle_environment: visibleLink(
    link('lifecycle_environment', { onDelete: 'clear', doc: 'Lifecycle environment of its hosts.' }),
  ),
} as const

const hostgroupContentWrites: Around<typeof fields> = {
  async create(ctx, draft, next) {
    await refuseAbsent(ctx, draft, null)
    return next(draft)
  },
  async update(ctx, stored, draft, next) {
    await refuseAbsent(ctx, draft, stored)
    await next(draft)
  },
}

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
  ],
  readable: {
    content_view_name: nameInForce('content_view_id', 'content_views'),
    lifecycle_environment_name: nameInForce('lifecycle_environment_id', 'lifecycle_environments'),
  },
  around: hostgroupContentWrites,
} as const

function nameInForce(column: string, table: string): ReadableKey {
  return {
    schema: () => z.string().nullable().meta({ description: 'Name of the one in force: the own or an inherited one.' }),
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
