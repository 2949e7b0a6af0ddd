import { z } from 'zod'
import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import {
  type Action,
  defineResource,
  lock,
  type ReadableKey,
  referenceNotFound,
  removeStored,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { bodyFields, readActionBody } from './action-body.ts'
import { addComponents } from './add-components.ts'
import { COMPONENT_PAGE, changeComponents, EDIT_VIEWS } from './change-components.ts'
import { componentFields } from './component-fields.ts'
import { componentWrites } from './component-writes.ts'
import {
  COMPONENT,
  selectChoosableVersions,
  selectComponentVersion,
  selectVersionObject,
  selectViewObject,
} from './shapes.ts'

const REMOVE = z.object({
  component_ids: bodyFields.ids('Ids of the components that are removed: not of views or versions.'),
})

/** Removes components of a composite view. */
const removeComponents: Action = {
  method: 'PUT',
  path: '/remove',
  name: 'remove',
  summary: 'Remove components of a composite content view',
  permissions: [EDIT_VIEWS],
  body: REMOVE,
  output: COMPONENT_PAGE,
  handle: (ctx, resource, input) =>
    changeComponents(ctx, resource, input, async (tx, view) => {
      const { component_ids } = readActionBody(REMOVE, resource, input.body)
      if (!component_ids) throw invalid({ component_ids: ["can't be blank"] })
      const found = await rows<{ id: number }>(
        tx.db,
        sql`select id from content_view_components where composite_content_view_id = ${view.id} and id = any (${component_ids}::bigint[]) order by id`,
      )
      const known = new Set(found.map(({ id }) => id))
      const missing = component_ids.filter((id) => !known.has(id))
      if (missing.length > 0) throw referenceNotFound(resource, missing.slice(0, 100).join(', '))
      for (const { id } of found) await removeStored(tx, resource, await lock(tx, resource, id))
    }),
}

const KEYS = [
  'latest',
  'id',
  'created_at',
  'updated_at',
  'composite_content_view',
  'content_view',
  'content_view_version',
  'component_content_view_versions',
]

const readable: Readonly<Record<string, ReadableKey>> = {
  composite_content_view: {
    schema: () => COMPONENT.composite_content_view,
    sql: (alias) => selectViewObject(sql.ref(`${alias}.composite_content_view_id`)),
  },
  content_view: {
    schema: () => COMPONENT.content_view,
    sql: (alias) => selectViewObject(sql.ref(`${alias}.content_view_id`)),
  },
  content_view_version: {
    schema: () => COMPONENT.content_view_version,
    sql: (alias) => selectVersionObject(selectComponentVersion(alias)),
  },
  component_content_view_versions: {
    schema: () => COMPONENT.component_content_view_versions,
    sql: (alias) => selectChoosableVersions(sql.ref(`${alias}.content_view_id`)),
  },
}

/** Components of composite views (content-api §8.3). */
export const contentViewComponents = defineResource({
  name: 'content_view_component',
  routes: { surface: 'content', parents: { content_view: 'composite_content_view' }, nestedOnly: true },
  summary: 'A component of a composite view: a chosen version of a view, or always the latest one.',
  fields: componentFields,
  operations: ['list', 'show', 'update'],
  visibility: { partOf: 'composite_content_view' },
  views: { list: KEYS, show: KEYS, order: 'label' },
  readable,
  search: [
    {
      name: 'label',
      type: 'text',
      column: 'label',
      through: [{ table: 'content_views', column: 'id', previous: 'content_view_id' }],
    },
  ],
  words: {
    called: ({ content_view_id }) => String(content_view_id),
  },
  wrapWrite: componentWrites,
  actions: [addComponents, removeComponents],
})
