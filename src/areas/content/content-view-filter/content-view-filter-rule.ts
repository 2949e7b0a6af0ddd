import { defineResource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { filteredList } from '../shared/filtered.ts'
import { createRules } from './create-rules.ts'
import { ruleFields } from './rule-fields.ts'
import { ruleWrites } from './rule-writes.ts'

const KEYS = [
  'id',
  'content_view_filter_id',
  'name',
  'uuid',
  'version',
  'min_version',
  'max_version',
  'architecture',
  'errata_id',
  'start_date',
  'end_date',
  'types',
  'date_type',
  'created_at',
  'updated_at',
]

/** Rules of filters: each names packages, a package group, errata or images. */
export const contentViewFilterRules = defineResource({
  name: 'content_view_filter_rule',
  words: {
    word: 'rule',
    called: ({ id, name, errata_id, uuid }) => String(name ?? errata_id ?? uuid ?? id),
  },
  routes: { surface: 'content', parents: { content_view_filter: 'content_view_filter' }, nestedOnly: true },
  summary: 'A rule of a filter of a content view: it selects packages, a package group, errata, or tags of images.',
  fields: ruleFields,
  operations: ['show', 'update', 'delete'],
  visibility: { partOf: 'content_view_filter' },
  views: { list: KEYS, show: KEYS, order: 'id' },
  wrapWrite: ruleWrites,
  actions: [
    filteredList('rules of a content view filter', CONTENT_VIEW_PERMISSIONS.view_content_views, {
      name: {
        doc: 'Only those with exactly this name.',
        where: (value, alias) => sql`${sql.ref(`${alias}.name`)} = ${value}`,
      },
      errata_id: {
        doc: 'Only that of this erratum.',
        where: (value, alias) => sql`${sql.ref(`${alias}.errata_id`)} = ${value}`,
      },
    }),
    createRules,
  ],
})
