import { defineResource, integer, link, text } from '../../../kernel/index.ts'
import { deleteVersion } from '../content-view/delete.ts'
import { presentContentViewVersions } from './present-versions.ts'
import { promote } from './promote.ts'
import { COUNTS, versionReadable } from './version-readable.ts'
import { filteredVersions, versionSearch } from './version-search.ts'

const KEYS = [
  'version',
  'major',
  'minor',
  'composite_content_view_ids',
  'published_in_composite_content_view_ids',
  'content_view_id',
  'default',
  'description',
  'id',
  'name',
  'created_at',
  'updated_at',
  'content_view',
  'composite_content_views',
  'composite_content_view_versions',
  'published_in_composite_content_views',
  'environments',
  'repositories',
  'last_event',
  'active_history',
  ...COUNTS,
  'permissions',
  'filters_applied',
]

/** Versions of content views, which only publishing creates (content-api §8.3). */
export const contentViewVersions = defineResource({
  name: 'content_view_version',
  routes: { surface: 'content', parents: { content_view: 'content_view' } },
  summary:
    'The content of a content view at the time of publication: the repositories that environments with this version provide.',
  fields: {
    content_view: link('content_view', {
      required: true,
      readOnly: true,
      onDelete: 'cascade',
      search: true,
      show: ['id', 'name', 'label', 'generated_for'],
      doc: 'The content view.',
    }),
    major: integer({ required: true, readOnly: true, search: 'explicit', doc: 'First part of its number.' }),
    minor: integer({ required: true, readOnly: true, search: 'explicit', doc: 'Second part of its number.' }),
    version: text({ required: true, readOnly: true, doc: 'Its number, such as 2.0.' }),
    description: text({ max: 65_535, search: 'explicit', doc: 'Optional note.' }),
    user: link('user', { readOnly: true, onDelete: 'clear', doc: 'User who published the version.' }),
  },
  operations: ['show', 'update'],
  words: {
    called: ({ version }) => String(version),
  },
  visibility: { partOf: 'content_view' },
  views: { list: KEYS, show: KEYS, order: 'version desc', transform: presentContentViewVersions },
  readable: versionReadable,
  search: versionSearch,
  wire: { suggests: true },
  actions: [filteredVersions, promote, deleteVersion],
})
