import { sql } from 'kysely'
import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { readAuditedValues, recordAudit } from '../../../kernel/audit.ts'
import { limitToVisible } from '../../../kernel/authorize.ts'
import { withFieldErrors } from '../../../kernel/constraints.ts'
import type { Action, Around, Input, Resource } from '../../../kernel/definition.ts'
import type { Answer } from '../../../kernel/facts.ts'
import { labelOf, lock } from '../../../kernel/operations/change.ts'
import { removeStored } from '../../../kernel/operations/delete.ts'
import { applyShown, createPresenter } from '../../../kernel/present.ts'
import type { Stored } from '../../../kernel/record.ts'
import { referenceNotFound } from '../../../kernel/reference.ts'
import { findResource } from '../../../kernel/registry.ts'
import { selectPage } from '../../../kernel/store/select.ts'
import { insertRecord } from '../../../kernel/store/write.ts'
import { NO_ORDER } from '../shared/nested-records.ts'
import { bodyFields, readActionBody } from './action-body.ts'
import { refuseParts } from './components.ts'
import { requireParts } from './parts.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'
import { lockPermitted, refuseDefault } from './refusals.ts'
import { COMPONENT, whole, words } from './shapes.ts'

const EITHER = 'Must select either a version or latest'
const EDIT = CONTENT_VIEW_PERMISSIONS.edit_content_views

/**
 * Completes components: each has either a fixed version or follows the latest one. Setting one of these clears the
 * other.
 */
export const componentWrites: Around = {
  async update(ctx, stored, draft, next) {
    const before = { version: stored.content_view_version_id, latest: stored.latest === true }
    const version = draft.content_view_version === undefined ? before.version : draft.content_view_version
    const chooses = typeof draft.content_view_version === 'number' && draft.latest !== true
    const latest = chooses ? false : (draft.latest ?? before.latest) === true
    if (!latest && typeof version !== 'number') throw invalid({ base: [EITHER] }, stored.id)
    if (!latest) await requireVersionOf(ctx, Number(stored.content_view_id), Number(version), stored.id)
    await next({ ...draft, content_view_version: latest ? null : version, latest })
  },
}

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

const REMOVE = z.object({
  component_ids: bodyFields.ids('Ids of the components that are removed: not of views or versions.'),
})

const nothing = (description: string) => z.null().meta({ description })

/** The schema of all components of a view, on one page (content-api §8.3). */
const PAGE = z.object({
  total: whole('Number of components of the view.'),
  subtotal: whole('The same.'),
  selectable: whole('The same.'),
  page: nothing('Always null: all of them are on one page.'),
  per_page: nothing('Always null.'),
  error: nothing('Always null.'),
  search: nothing('Always null.'),
  sort: NO_ORDER.meta({ description: 'Always null.' }),
  results: z
    .array(
      z.object({
        id: whole('Its id.'),
        created_at: words('Time when it was added.'),
        updated_at: words('Time of the last change.'),
        ...COMPONENT,
      }),
    )
    .meta({ description: 'The components.' }),
})

/** Adds components to a composite view. */
export const addComponents: Action = {
  method: 'PUT',
  path: '/add',
  name: 'add',
  summary: 'Add components to a composite content view',
  permissions: [EDIT],
  body: ADD,
  output: PAGE,
  handle: (ctx, resource, input) => {
    const { components } = readActionBody(ADD, resource, input.body)
    return changeComponents(ctx, resource, input, async (tx, view) => {
      const added = components.map(toAdd)
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
    })
  },
}

/** Removes components of a composite view. */
export const removeComponents: Action = {
  method: 'PUT',
  path: '/remove',
  name: 'remove',
  summary: 'Remove components of a composite content view',
  permissions: [EDIT],
  body: REMOVE,
  output: PAGE,
  handle: (ctx, resource, input) => {
    const { component_ids } = readActionBody(REMOVE, resource, input.body)
    if (!component_ids) throw invalid({ component_ids: ["can't be blank"] })
    return changeComponents(ctx, resource, input, async (tx, view) => {
      const found = await rows<{ id: number }>(
        tx.db,
        sql`select id from content_view_components where composite_content_view_id = ${view.id} and id = any (${component_ids}::bigint[]) order by id`,
      )
      const known = new Set(found.map(({ id }) => id))
      const missing = component_ids.filter((id) => !known.has(id))
      if (missing.length > 0) throw referenceNotFound(resource, missing.slice(0, 100).join(', '))
      for (const { id } of found) await removeStored(tx, resource, await lock(tx, resource, id))
    })
  },
}

/** Changes the components of the view in the path, and answers all that it then has. */
async function changeComponents(
  ctx: Context,
  resource: Resource,
  { params }: Input,
  work: (tx: Context, view: Stored) => Promise<void>,
): Promise<Answer> {
  return inTransaction(ctx, async (tx) => {
    const views = findResource(resource.registry, 'content_view')
    const view = await lockPermitted(tx, views, params.content_view_id ?? '', EDIT)
    refuseDefault(view)
    // The constraint error of a view or version that is being deleted becomes the one for a missing record.
    await withFieldErrors(resource, null, () => work(tx, view))
    const page = await selectPage(tx.db, resource, {
      view: resource.views.list,
      conditions: [
        ...limitToVisible(tx, resource, EDIT),
        { sql: sql`t.composite_content_view_id = ${view.id}`, tables: [] },
      ],
      order: { order: sql`t.id` },
      limit: null,
      offset: 0,
    })
    const shown = page.rows.map(createPresenter(resource, resource.views.list, 'view'))
    const results = await applyShown(tx, resource, shown, {})
    const counts = { total: results.length, subtotal: results.length, selectable: results.length }
    const nothings = { page: null, per_page: null, error: null, search: null, sort: { by: null, order: null } }
    return { status: 200, body: { ...counts, ...nothings, results } }
  })
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
  await recordAudit(
    tx,
    resource,
    'create',
    { id: stored.id, label: labelOf(resource, stored) },
    readAuditedValues(resource, stored),
  )
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

/** Refuses a version of another view. {@throws Failure} invalid */
async function requireVersionOf(tx: Context, view: number, version: number, id: number | null): Promise<void> {
  const found = await row(
    tx.db,
    sql`select id from content_view_versions where id = ${version} and content_view_id = ${view}`,
  )
  if (!found) throw invalid({ content_view_version_id: ['is no version of the content view'] }, id)
}
