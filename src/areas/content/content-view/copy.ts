import { z } from 'zod'
import { asService, type Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import {
  type Action,
  createRecord,
  findResource,
  lock,
  type Resource,
  readAttributes,
  readBack,
  readDraft,
  recordAudit,
  type Stored,
  validate,
  valuesOf,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { refusal } from '../content-view-version/refusals.ts'
import { bodyFields } from './action-body.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'

/** Creates a view with everything that another one is made of, without versions (content-api §8.3). */
export const copyView: Action = {
  method: 'POST',
  path: '/:id/copy',
  name: 'copy',
  summary: 'Copy a content view under a new name',
  permissions: ['create_content_views'],
  body: z.object({
    name: z.string().meta({ description: 'Name of the copy.' }),
    label: bodyFields.text('Label of the copy; default: made from the name.'),
    description: bodyFields.text('For people; default: that of the original.'),
  }),
  status: 201,
  record: { how: 'locked', permission: CONTENT_VIEW_PERMISSIONS.view_content_views },
  handle: async (tx, views, { body }, original) => {
    const { name, new_name: older, label, description } = { ...body, ...readAttributes(views, body) }
    const validated = await validate(tx, views, { name: name ?? older ?? null, label, description })
    if (original.default) throw refusal('The default content view cannot be copied.')
    const { composite, auto_publish, solve_dependencies, import_only, repositories } = original
    const id = await createRecord(tx, views, {
      description: original.description,
      composite,
      auto_publish,
      solve_dependencies,
      import_only,
      repositories,
      ...(await readDraft(tx, views, validated, null)),
      organization: original.organization_id,
    })
    await copyComponents(tx, views, original, id)
    await copyFilters(tx, views, original.id, id)
    return { status: 201, body: await readBack(tx, views, id) }
  },
}

/** Copies components; those that follow the latest version still do. */
async function copyComponents(tx: Context, views: Resource, original: Stored, copy: number): Promise<void> {
  if (!original.composite) return
  await sql`
    insert into content_view_components (composite_content_view_id, content_view_id, content_view_version_id, latest)
    select ${copy}::bigint, content_view_id, content_view_version_id, latest from content_view_components
    where composite_content_view_id = ${original.id} order by id`.execute(tx.db)
  const { name, components } = await lock(tx, views, copy)
  // Components of views without a version stand for nothing and cannot be listed as versions.
  if (Array.isArray(components) && components.length === 0) return
  await recordAudit(tx, views, 'update', { id: copy, label: String(name) }, { component_ids: [[], components] })
}

/** Copies the filters of a view to its copy, with their rules; each filter and each rule gets an audit. */
async function copyFilters(tx: Context, { registry }: Resource, original: number, copy: number): Promise<void> {
  const filters = findResource(registry, 'content_view_filter')
  const rules = findResource(registry, 'content_view_filter_rule')
  const service = asService(tx) // whoever may copy a view copies all of it
  for (const id of await idsOf(tx, sql`select id from content_view_filters where content_view_id = ${original}`)) {
    const values = valuesOf(filters, await lock(tx, filters, id))
    // Repositories that were removed from the view are not in its copy.
    const repositories = await idsOf(
      tx,
      sql`select l.repository_id as id from content_view_filter_repositories l
        join content_view_repositories r on r.repository_id = l.repository_id and r.content_view_id = ${original}
        where l.content_view_filter_id = ${id}`,
    )
    const filter = await createRecord(service, filters, { ...values, repositories, content_view: copy })
    for (const rule of await idsOf(
      tx,
      sql`select id from content_view_filter_rules where content_view_filter_id = ${id}`,
    ))
      await createRecord(service, rules, {
        ...valuesOf(rules, await lock(tx, rules, rule)),
        content_view_filter: filter,
      })
  }
}

async function idsOf(tx: Context, statement: Sql): Promise<number[]> {
  const found = await rows<{ id: number }>(tx.db, sql`select id from (${statement}) of_those order by id`)
  return found.map(({ id }) => id)
}
