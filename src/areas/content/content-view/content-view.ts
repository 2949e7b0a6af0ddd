import { defineResource } from '../../../kernel/index.ts'
import { removeFilters } from '../content-view-filter/remove-filters.ts'
import { viewHistory } from '../content-view-version/history.ts'
import { publishView } from '../content-view-version/publish.ts'
import { removeFromEnvironment, removeFromEnvironments } from '../content-view-version/remove.ts'
import { deleteVersions } from './bulk-delete.ts'
import { copyView } from './copy.ts'
import { deleteView } from './delete.ts'
import { contentViewFields } from './fields.ts'
import { filteredViews } from './filters.ts'
import { presentContentViews } from './present-content-views.ts'
import { CONTENT_VIEW_PERMISSIONS, readable } from './readable.ts'
import { contentViewWrites, validateContentViewKind } from './rules.ts'

const KEYS = [
  'composite',
  'component_ids',
  'default',
  'version_count',
  'latest_version',
  'latest_version_id',
  'auto_publish',
  'solve_dependencies',
  'import_only',
  'generated_for',
  'related_cv_count',
  'related_composite_cvs',
  'needs_publish',
  'filtered',
  'repository_ids',
  'id',
  'name',
  'label',
  'description',
  'organization_id',
  'organization',
  'created_at',
  'updated_at',
  'last_task',
  'latest_version_environments',
  'repositories',
  'versions',
  'components',
  'content_view_components',
  'activation_keys',
  'hosts',
  'next_version',
  'last_published',
  'environments',
  'duplicate_repositories_to_publish',
  'permissions',
  'content_host_count',
  'activation_key_count',
]

/** Content views (content-api §8.3). */
export const contentViews = defineResource({
  name: 'content_view',
  routes: { surface: 'content' },
  summary: 'Repositories that are published together, in versions that go from environment to environment.',
  fields: contentViewFields,
  operations: ['show', 'create', 'update'],
  label: 'name',
  visibility: { taxable: 'organization' },
  views: { list: KEYS, show: [...KEYS, 'errors'], transform: presentContentViews },
  readable,
  search: [{ name: 'organization_id', type: 'integer', column: 'organization_id', explicit: true }],
  permissions: { further: Object.values(CONTENT_VIEW_PERMISSIONS) },
  wire: { suggests: true },
  rules: [validateContentViewKind],
  wrapWrite: contentViewWrites,
  actions: [
    filteredViews,
    viewHistory,
    copyView,
    publishView,
    removeFromEnvironments,
    removeFromEnvironment,
    removeFilters,
    deleteVersions,
    deleteView,
  ],
})
