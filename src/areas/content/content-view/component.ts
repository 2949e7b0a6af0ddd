import { defineResource, type ReadableKey } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { addComponents } from './add-components.ts'
import { componentFields } from './component-fields.ts'
import { componentWrites } from './component-writes.ts'
import { removeComponents } from './remove-components.ts'
import {
  COMPONENT,
  selectChoosableVersions,
  selectComponentVersion,
  selectVersionObject,
  selectViewObject,
} from './shapes.ts'

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
  around: componentWrites,
  actions: [addComponents, removeComponents],
})
