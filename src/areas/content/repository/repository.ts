import { defineResource, type Rule } from '../../../kernel/index.ts'
import { presentPermissions } from '../../../records/permissions.ts'
import { validateKeptLabel } from '../shared/label.ts'
import { FETCHING_KEYS, validateFetching } from './fetching.ts'
import { type RepositoryFields, repositoryFields } from './fields.ts'
import { listRepositories } from './list.ts'
import { REPOSITORY_PERMISSIONS, repositoryReadable } from './readable.ts'
import { DOWNLOADED } from './types.ts'
import { repositoryWrites } from './writes.ts'

/** Rules of repositories: product and type of content never change, and fields must agree with each other. */
const repositoryRules: readonly Rule<RepositoryFields>[] = [
  (_record, { product }, _ctx, stored) =>
    stored && product !== undefined && product !== stored.product_id
      ? { product_id: ['cannot be changed.'] }
      : undefined,
  (_record, { content_type }, _ctx, stored) =>
    stored && content_type !== undefined && content_type !== stored.content_type
      ? { content_type: ['cannot be changed.'] }
      : undefined,
  ({ content_type, arch }, draft) =>
    draft.arch !== undefined && arch !== 'noarch' && !['yum', 'deb'].includes(content_type ?? '')
      ? { arch: [`cannot be set for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, os_versions }, draft) =>
    draft.os_versions !== undefined && os_versions?.length && content_type !== 'yum'
      ? { os_versions: [`cannot be set for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, download_policy }) =>
    download_policy && !DOWNLOADED.includes(content_type ?? '')
      ? { download_policy: [`cannot be set for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, mirroring_policy }) =>
    mirroring_policy === 'mirror_complete' && content_type !== 'yum'
      ? { mirroring_policy: [`cannot be mirror_complete for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, unprotected }) =>
    content_type === 'docker' && unprotected === false
      ? { unprotected: ["must be true for repositories of type 'docker'"] }
      : undefined,
]

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
    show: [...KEYS, 'published_in_versions', 'promoted', 'content_view_environments', 'permissions'],
    transform: presentPermissions(REPOSITORY_PERMISSIONS),
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
  wrapWrite: repositoryWrites,
  actions: [listRepositories],
})
