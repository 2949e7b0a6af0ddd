import { defineResource, type Field, link, text } from '../../../kernel/index.ts'
import { blankAsNull, withWritable } from '../../../records/coerced.ts'
import { words } from '../../../records/words.ts'
import { sql } from '../../../sql.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { filteredList } from '../shared/filtered.ts'
import { createRules } from './create-rules.ts'
import { ruleWrites } from './rule-writes.ts'
import { DATE_TYPES, ERRATUM_TYPES } from './types.ts'

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

const word = (doc: string, search: 'free' | 'explicit' = 'explicit'): Field<string | null> =>
  blankAsNull(text({ search, doc }))

const DAY = { regexp: /^\d{4}-\d{2}-\d{2}$/, message: 'must be a day such as 2026-03-31' }

/** Rules of filters: each names packages, a package group, errata or images. */
export const contentViewFilterRules = defineResource({
  name: 'content_view_filter_rule',
  words: {
    word: 'rule',
    called: ({ id, name, errata_id, uuid }) => String(name ?? errata_id ?? uuid ?? id),
  },
  routes: { surface: 'content', parents: { content_view_filter: 'content_view_filter' }, nestedOnly: true },
  summary: 'A rule of a filter of a content view: it selects packages, a package group, errata, or tags of images.',
  fields: {
    content_view_filter: link('content_view_filter', {
      required: true,
      readOnly: true,
      onDelete: 'cascade',
      doc: 'The filter that it is of.',
    }),
    name: takeOne(word('Packages, a group or tags by their name, with * for any characters.', 'free')),
    uuid: word('A package group by its uuid.'),
    version: word('Packages of this version alone.'),
    min_version: word('Packages of this version and later ones.'),
    max_version: word('Packages of this version and earlier ones.'),
    architecture: word('Packages of this architecture alone.'),
    errata_id: takeOne(word('An erratum by its id.')),
    start_date: blankAsNull(text({ pattern: DAY, doc: 'Errata of this day (YYYY-MM-DD) and later ones.' })),
    end_date: blankAsNull(text({ pattern: DAY, doc: 'Errata of this day (YYYY-MM-DD) and earlier ones.' })),
    types: words({ of: ERRATUM_TYPES, column: 'types', doc: `Errata of these types: ${ERRATUM_TYPES.join(', ')}.` }),
    date_type: blankAsNull(
      text({ oneOf: DATE_TYPES, doc: `Date of an erratum that counts: ${DATE_TYPES.join(' or ')}.` }),
    ),
  },
  operations: ['show', 'update', 'delete'],
  visibility: { partOf: 'content_view_filter' },
  views: { list: KEYS, show: KEYS, order: 'id' },
  around: ruleWrites,
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

/** A key for which clients may send a list; of a single rule it may have one entry. */
function takeOne<F extends Field<string | null>>(field: F): F {
  return withWritable(field, ({ coerce }) => ({
    coerce: (sent) => {
      const only = Array.isArray(sent) && sent.length === 1 ? sent[0] : sent
      return coerce ? coerce(only) : only
    },
  }))
}
