import { sql } from 'kysely'
import { z } from 'zod'
import { type Context, inTransaction } from '../../context.ts'
import { audit } from '../../kernel/audit.ts'
import { attributesOf, judge, readDraft } from '../../kernel/input.ts'
import { lock } from '../../kernel/operations/change.ts'
import { createRecord } from '../../kernel/operations/create.ts'
import { readBack } from '../../kernel/operations/show.ts'
import type { Action, Resource, Stored } from '../../kernel/resource.ts'
import { foundRecord } from '../content/found.ts'
import { asked } from './asked.ts'
import { MAY } from './readable.ts'
import { refusal } from './refusals.ts'

/** A new view with all that another one is made of, and none of its versions (content-api §8.3). */
export const copyView: Action = {
  method: 'POST',
  path: '/:id/copy',
  name: 'copy',
  summary: 'Copy a content view under a new name',
  permissions: ['create_content_views'],
  body: z.object({
    name: z.string().meta({ description: 'Name of the copy.' }),
    label: asked.text('Label of the copy; default: made from the name.'),
    description: asked.text('For people; default: that of the original.'),
  }),
  status: 201,
  handle: async (ctx, views, { body, ...input }) => {
    const { name, new_name: older, label, description } = { ...body, ...attributesOf(views, body) }
    const judged = await judge(ctx, views, { name: name ?? older ?? null, label, description })
    return inTransaction(ctx, async (tx) => {
      const original = await foundRecord(tx, views, { ...input, body }, MAY.view_content_views)
      if (original.default) throw refusal('The default content view cannot be copied.')
      const {
        description: described,
        composite,
        auto_publish,
        solve_dependencies,
        import_only,
        repositories,
      } = original
      const id = await createRecord(tx, views, {
        ...{ description: described, composite, auto_publish, solve_dependencies, import_only, repositories },
        ...(await readDraft(tx, views, judged, null)),
        organization: original.organization_id,
      })
      await copyComponents(tx, views, original, id)
      return { status: 201, body: await readBack(tx, views, id) }
    })
  },
}

/** What stands for the latest version goes on to. */
async function copyComponents(tx: Context, views: Resource, original: Stored, copy: number): Promise<void> {
  if (!original.composite) return
  await sql`
    insert into content_view_components (composite_content_view_id, content_view_id, content_view_version_id, latest)
    select ${copy}::bigint, content_view_id, content_view_version_id, latest from content_view_components
    where composite_content_view_id = ${original.id} order by id`.execute(tx.db)
  const { name, components } = await lock(tx, views, copy)
  // Views that have no version yet stand for nothing.
  if (Array.isArray(components) && components.length === 0) return
  await audit(tx, views, 'update', { id: copy, label: String(name) }, { component_ids: [[], components] })
}
