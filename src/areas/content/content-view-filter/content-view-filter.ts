import { z } from 'zod'
import { badParameter, type FieldErrors, invalid } from '../../../errors.ts'
import {
  type Action,
  type Condition,
  defineResource,
  list,
  type Rule,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import type { NestedKeys } from '../../../records/nested.ts'
import type { Input } from '../../../requests/route.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { listOf, whole, words } from '../content-view/shapes.ts'
import { refuseDefault } from '../content-view-version/refusals.ts'
import { buildFilterQuery, type Filters, readFilters } from '../shared/filtered.ts'
import { type FilterFields, filterFields } from './fields.ts'
import { loadFilteredView, requireRepositoriesOf } from './repositories.ts'
import { FILTER_TYPES } from './types.ts'

const FILTERS: Filters = {
  name: {
    doc: 'Only those with exactly this name.',
    where: (value, alias) => sql`${sql.ref(`${alias}.name`)} = ${value}`,
  },
}

/** Lists the filters of a view, or all that the caller may see. */
const listFilters: Action = {
  method: 'GET',
  path: '',
  name: 'list',
  summary: 'List content view filters',
  permissions: [CONTENT_VIEW_PERMISSIONS.view_content_views],
  query: {
    ...buildFilterQuery(FILTERS),
    types: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: `Only those of these types: ${FILTER_TYPES.join(', ')}.` }),
  },
  outputs: 'list',
  handle: (ctx, filters, input) => list(ctx, filters, input, [...readFilters(FILTERS, input), ...limitToTypes(input)]),
}

/** Leaves the filters of the types in the query, a list or text with commas. {@throws Failure} bad_parameter for other types */
function limitToTypes({ query }: Input): Condition[] {
  const sent = [query.types ?? [], query['types[]'] ?? []].flat().flatMap((one) => String(one).split(','))
  const types = sent.map((one) => one.trim()).filter((one) => one !== '')
  const known: readonly string[] = FILTER_TYPES
  const wrong = types.find((one) => !known.includes(one))
  if (wrong !== undefined) throw badParameter('types', wrong, `must be of ${FILTER_TYPES.join(', ')}`)
  return types.length === 0 ? [] : [{ sql: sql`t.type = any (${types}::text[])`, tables: [] }]
}

/** Validates filters: type and view cannot be changed, and some keys are for one type only. */
const validateFilter: Rule<FilterFields> = (record, draft, _ctx, stored): FieldErrors | undefined => {
  const errors: FieldErrors = {}
  if (stored && draft.type !== undefined && draft.type !== stored.type) errors.type = ['cannot be changed.']
  if (stored && draft.content_view !== undefined && draft.content_view !== stored.content_view_id)
    errors.content_view_id = ['cannot be changed.']
  for (const [key, type] of ONLY)
    if (record[key] === true && record.type !== type) errors[key] = [`can be set for filters of type '${type}' only`]
  return Object.keys(errors).length > 0 ? errors : undefined
}

const ONLY = [
  ['original_packages', 'rpm'],
  ['original_module_streams', 'modulemd'],
] as const

/**
 * Refuses filters of composite and default views, and repositories that the view does not have; repositories that the
 * filter has already may stay.
 */
const filterWrites: WriteWrapper<FilterFields> = {
  async create(tx, draft, next, { registry }) {
    const view = await loadFilteredView(tx, draft.content_view)
    refuseDefault({ id: view.id, default: view.default })
    if (view.composite) throw invalid({ content_view_id: ['is a composite content view, which has no filters'] })
    await requireRepositoriesOf(tx, registry, view, draft.repositories ?? [], null)
    return next(draft)
  },
  async update(tx, stored, draft, next, { registry }) {
    const had = new Set(stored.repositories)
    const added = (draft.repositories ?? []).filter((id) => !had.has(id))
    if (added.length > 0) {
      const view = await loadFilteredView(tx, stored.content_view_id)
      await requireRepositoriesOf(tx, registry, view, added, stored.id)
    }
    await next(draft)
  },
}

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
  wrapWrite: filterWrites,
  actions: [listFilters],
})
