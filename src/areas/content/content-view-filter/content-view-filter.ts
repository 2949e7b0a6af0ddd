import { z } from 'zod'
import { defineResource } from '../../../kernel/index.ts'
import type { NestedKeys } from '../../../records/nested.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { listOf, whole, words } from '../content-view/shapes.ts'
import { filterFields } from './fields.ts'
import { listFilters } from './list.ts'
import { filterWrites, validateFilter } from './writes.ts'

const KEYS = [
  'id',
  'name',
  'description',
  'type',
  'inclusion',
  'original_packages',
  'original_module_streams',
  'content_view_id',
  'content_view',
  'repositories',
  'rules',
  'created_at',
  'updated_at',
]

const word = (description: string) => z.string().nullable().meta({ description })

const column = (name: string, description: string): NestedKeys => ({
  [name]: [word(description), sql.raw(`r.${name}`)],
})

const rules = listOf('Its rules.', (own) => ({
  keys: {
    id: [whole('Its id.'), sql`r.id`],
    content_view_filter_id: [whole('Its filter.'), sql`r.content_view_filter_id`],
    ...column('name', 'Name of the filter.'),
    ...column('uuid', 'Uuid of a package group.'),
    ...column('version', 'The only version.'),
    ...column('min_version', 'The lowest version.'),
    ...column('max_version', 'The highest version.'),
    ...column('architecture', 'The only architecture.'),
    ...column('errata_id', 'Id of an erratum.'),
    ...column('start_date', 'First day of errata.'),
    ...column('end_date', 'Last day of errata.'),
    types: [z.array(z.string()).meta({ description: 'Types of errata.' }), sql`r.types`],
    ...column('date_type', 'Date of errata that counts: issued or updated.'),
    created_at: [words('Time of creation.'), selectMoment(sql`r.created_at`)],
    updated_at: [words('Time of the last change.'), selectMoment(sql`r.updated_at`)],
  },
  from: sql`content_view_filter_rules r where r.content_view_filter_id = ${own('id')}`,
  order: sql`r.id`,
}))

/**
 * Filters of content views: which packages of the repositories a version is to have. This service knows no packages, so
 * that filters are only stored.
 */
export const contentViewFilters = defineResource({
  name: 'content_view_filter',
  routes: { surface: 'content', parents: { content_view: 'content_view' } },
  summary: 'A filter that includes content of the repositories of a content view, or excludes it.',
  fields: filterFields,
  operations: ['show', 'create', 'update', 'delete'],
  label: 'name',
  visibility: { partOf: 'content_view' },
  views: { list: KEYS, show: KEYS },
  readable: { rules },
  wire: { suggests: true },
  rules: [validateFilter],
  around: filterWrites,
  actions: [listFilters],
})
