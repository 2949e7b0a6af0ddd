import { defineResource } from '../../../kernel/index.ts'
import { presentPermissions } from '../../../records/permissions.ts'
import { validateKeptLabel } from '../shared/label.ts'
import { FETCHING_KEYS, validateFetching } from './fetching.ts'
import { repositoryFields } from './fields.ts'
import { listRepositories } from './list.ts'
import { REPOSITORY_PERMISSIONS, repositoryReadable } from './readable.ts'
import { repositoryRules } from './rules.ts'
import { repositoryWrites } from './writes.ts'

const KEYS = [
  'id',
  'name',
  'label',
  'description',
  'content_type',
  'url',
  'arch',
  'major',
  'minor',
  'os_versions',
  'download_policy',
  'mirroring_policy',
  'unprotected',
  ...FETCHING_KEYS,
  'content_id',
  'content_label',
  'product_id',
  'product',
  'organization_id',
  'organization',
  'content_view',
  'content_view_version_id',
  'content_view_version',
  'environment',
  'content_counts',
  'last_sync',
  'last_sync_words',
  'relative_path',
  'full_path',
  'created_at',
  'updated_at',
]

/** Repositories: the places where content of a product is (content-api §8.4). This service copies no content from them. */
export const repositories = defineResource({
  name: 'repository',
  words: { plural: 'repositories' },
  routes: {
    surface: 'content',
    parents: {
      product: 'product',
      content_view: 'content_views',
      content_view_version: 'content_view_versions',
      lifecycle_environment: 'environments',
    },
  },
  summary: 'A repository: the source of content of a product, and the names by which hosts know it.',
  fields: repositoryFields,
  label: 'name',
  visibility: { partOf: 'product' },
  operations: ['show', 'create', 'update', 'delete'],
  views: {
    list: KEYS,
    show: [...KEYS, 'published_in_versions', 'permissions'],
    shown: presentPermissions(REPOSITORY_PERMISSIONS),
  },
  readable: repositoryReadable,
  search: [
    {
      name: 'product_name',
      type: 'text',
      column: 'name',
      through: [{ table: 'products', column: 'id', previous: 'product_id' }],
      explicit: true,
    },
    {
      name: 'content_label',
      type: 'text',
      column: 'label',
      through: [{ table: 'contents', column: 'id', previous: 'content_id' }],
      nullable: true,
      explicit: true,
    },
    {
      name: 'content_view_id',
      type: 'integer',
      column: 'content_view_id',
      through: [{ table: 'content_view_repositories', column: 'repository_id', previous: 'id' }],
      many: true,
      nullable: true,
      explicit: true,
    },
    {
      name: 'organization_id',
      type: 'integer',
      column: 'organization_id',
      through: [{ table: 'products', column: 'id', previous: 'product_id' }],
      explicit: true,
    },
  ],
  wire: {
    suggests: true,
    paths: { content_view: [], content_view_version: [], lifecycle_environment: [] },
    below: ['organizations/:organization_id'],
  },
  rules: [validateKeptLabel, ...repositoryRules, validateFetching],
  around: repositoryWrites,
  actions: [listRepositories],
})
