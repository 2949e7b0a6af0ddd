import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import {
  type Action,
  findResource,
  insertRecord,
  type Resource,
  recordWhole,
  referenceNotFound,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { bodyFields, readActionBody } from './action-body.ts'
import { COMPONENT_PAGE, changeComponents, EDIT_VIEWS } from './change-components.ts'
import { EITHER, requireVersionOf } from './component-writes.ts'
import { refuseParts } from './components.ts'
import { requireParts } from './parts.ts'

const ADD = z.object({
  components: z
    .array(
      z.object({
        content_view_id: bodyFields.id('The view that becomes a part; may be left out beside a version.'),
        content_view_version_id: bodyFields.id('The chosen version of it.'),
        latest: bodyFields.truth('True: always the latest version.'),
      }),
      { error: 'must be a list of objects' },
    )
    .meta({ description: 'Components to add.' }),
})

/** Adds components to a composite view. */
export const addComponents: Action = {
  method: 'PUT',
  path: '/add',
  name: 'add',
  summary: 'Add components to a composite content view',
  permissions: [EDIT_VIEWS],
  body: ADD,
  output: COMPONENT_PAGE,
  handle: (ctx, resource, input) =>
    changeComponents(ctx, resource, input, async (tx, view) => {
      const added = readActionBody(ADD, resource, input.body).components.map(toAdd)
      const parts: number[] = []
      const organization = Number(view.organization_id)
      for (const { view: part, version, latest } of added) {
        if (part === null)
          await requireParts(tx, resource.registry, 'content_view_version', [version ?? 0], organization)
        const id = part ?? (await viewOfVersion(tx, resource, version))
        await requireParts(tx, resource.registry, 'content_view', [id], organization)
        if (!latest) await requireVersionOf(tx, id, version ?? 0, null)
        parts.push(id)
      }
      const present = await partsOf(tx, view.id)
      const into = { id: view.id, organization, composite: view.composite === true }
      await refuseParts(tx, into, [...present, ...parts])
      for (const [place, { version, latest }] of added.entries())
        await add(tx, resource, view.id, parts[place] ?? 0, latest ? null : version)
    }),
}

interface ToAdd {
  readonly view: number | null
  readonly version: number | null
  readonly latest: boolean
}

function toAdd(item: z.infer<typeof ADD>['components'][number]): ToAdd {
  const { content_view_id: view = null, content_view_version_id: version = null } = item
  const latest = item.latest === true
  if (version === null && !latest) throw invalid({ base: [EITHER] })
  if (view === null && version === null) throw invalid({ content_view_id: ["can't be blank"] })
  return { view, version, latest }
}

async function add(
  tx: Context,
  resource: Resource,
  whole: number,
  part: number,
  version: number | null,
): Promise<void> {
  const stored = await insertRecord(tx, resource, {
    composite_content_view: whole,
    content_view: part,
    content_view_version: version,
    latest: version === null,
  })
  await recordWhole(tx, resource, 'create', stored)
}

async function partsOf(tx: Context, view: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select content_view_id as id from content_view_components where composite_content_view_id = ${view}`,
  )
  return found.map(({ id }) => id)
}

async function viewOfVersion(tx: Context, { registry }: Resource, version: number | null): Promise<number> {
  const found = await row<{ view: number }>(
    tx.db,
    sql`select content_view_id as view from content_view_versions where id = ${version}`,
  )
  if (!found) throw referenceNotFound(findResource(registry, 'content_view_version'), version ?? '')
  return found.view
}
