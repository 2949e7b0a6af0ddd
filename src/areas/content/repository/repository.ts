import { boolean, defineResource, integer, link, text } from '../../../kernel/index.ts'
import { blankAsNull } from '../../../records/coerced.ts'
import { presentPermissions } from '../../../records/permissions.ts'
import { textIn } from '../../../records/text-in.ts'
import { sql } from '../../../sql.ts'
import { CONTAINING, selectRepositoriesOfEnvironment, selectRepositoriesOfVersion } from '../content-view/contains.ts'
import { indirectLink } from '../shared/indirect-link.ts'
import { contentLabel, validateKeptLabel } from '../shared/label.ts'
import { contentName } from '../shared/naming.ts'
import { FETCHING_KEYS, fetchingFields, validateFetching } from './fetching.ts'
import { listRepositories } from './list.ts'
import { REPOSITORY_PERMISSIONS, repositoryReadable } from './readable.ts'
import { repositoryRules, SOURCE_URL } from './rules.ts'
import { shortTexts } from './short-texts.ts'
import { CONTENT_TYPES, DOWNLOAD_POLICIES, MIRRORING_POLICIES } from './types.ts'
import { repositoryWrites } from './writes.ts'

const TAKEN = 'has already been taken for this product.'

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
  fields: {
    name: contentName({ taken: TAKEN, doc: 'Unique in its product.' }),
    label: contentLabel({ taken: TAKEN, among: 'in its product' }),
    description: text({ max: 65_535, search: 'free', doc: 'Optional note.' }),
    product: link('product', {
      required: true,
      onDelete: 'cascade',
      search: true,
      show: ['id', 'cp_id', 'name', 'redhat'],
      doc: 'Its product; never changes.',
    }),
    content_type: text({
      required: true,
      oneOf: CONTENT_TYPES,
      search: 'free',
      doc: `Content type: ${CONTENT_TYPES.join(', ')}. Never changes.`,
    }),
    url: blankAsNull(
      textIn(SOURCE_URL, {
        max: 2048,
        search: 'explicit',
        doc: 'URL of the content: http, https, ftp, file or uln.',
      }),
    ),
    arch: blankAsNull(
      text({
        max: 64,
        blank: 'noarch',
        search: 'explicit',
        doc: 'Architecture that its content is for; noarch: any.',
      }),
    ),
    major: integer({ min: 0, search: 'explicit', doc: 'Number of the major release that its content is for.' }),
    minor: blankAsNull(
      text({
        max: 64,
        pattern: { regexp: /^[A-Za-z0-9._-]+$/, message: 'must be a release such as 8.4 or 7Server' },
        search: 'explicit',
        doc: 'Release of its content, such as 8.4 or 7Server. Activation keys can limit hosts to it.',
      }),
    ),
    os_versions: shortTexts({ doc: 'Required operating systems of hosts, such as rhel-8; none: any.' }),
    download_policy: text({
      oneOf: DOWNLOAD_POLICIES,
      search: 'explicit',
      doc: 'Download policy of packages: immediate or on_demand.',
    }),
    mirroring_policy: text({
      oneOf: MIRRORING_POLICIES,
      doc: 'Handling of packages that are no longer at the source: additive, mirror_complete or mirror_content_only.',
    }),
    unprotected: boolean({ initial: true, doc: 'Whether hosts get it without a certificate.' }),
    ...fetchingFields,
    content_views: indirectLink(
      'The content views that are made from it.',
      ['content_view_repositories', 'content_views', 'products'],
      (repository, id) => sql`(exists (
          select from content_view_repositories l where l.repository_id = ${sql.ref(`${repository}.id`)} and l.content_view_id = ${id})
        or exists (select from content_views v join products o on o.organization_id = v.organization_id
          where v.id = ${id} and v."default" and o.id = ${sql.ref(`${repository}.product_id`)}))`,
    ),
    content_view_versions: indirectLink(
      'The published versions that have it.',
      CONTAINING,
      (repository, id) =>
        sql`${sql.ref(`${repository}.id`)} in (select repository_id from ${selectRepositoriesOfVersion(sql`${id}::bigint`)} c)`,
    ),
    environments: indirectLink(
      'The environments that it is in.',
      CONTAINING,
      (repository, id) =>
        sql`${sql.ref(`${repository}.id`)} in (select repository_id from ${selectRepositoriesOfEnvironment(sql`${id}::bigint`)} c)`,
    ),
  },
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
