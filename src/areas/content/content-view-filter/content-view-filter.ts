import { sql } from 'kysely'
import { z } from 'zod'
import { defineResource } from '../../../kernel/definition.ts'
import type { ReadableKey } from '../../../kernel/field.ts'
import { boolean, link, text } from '../../../kernel/fields/index.ts'
import { selectJsonList, selectMoment, whole, words } from '../content-view/shapes.ts'
import { contentName } from '../shared/naming.ts'
import { listFilters } from './list.ts'
import { repositoriesOfFilter } from './repositories.ts'
import { FILTER_TYPES } from './types.ts'
import { filterWrites, validateFilter } from './writes.ts'

const KEYS = [
  ...['id', 'name', 'description', 'type', 'inclusion', 'original_packages', 'original_module_streams'],
  ...['content_view_id', 'content_view', 'repositories', 'rules', 'created_at', 'updated_at'],
]

const word = (description: string) => z.string().nullable().meta({ description })

const RULE = z.object({
  id: whole('Its id.'),
  content_view_filter_id: whole('The filter that it is of.'),
  name: word('What it is called.'),
  uuid: word('Uuid of a package group.'),
  version: word('The only version.'),
  min_version: word('The lowest version.'),
  max_version: word('The highest version.'),
  architecture: word('The only architecture.'),
  errata_id: word('Id of an erratum.'),
  start_date: word('First day of errata.'),
  end_date: word('Last day of errata.'),
  types: z.array(z.string()).meta({ description: 'Types of errata.' }),
  date_type: word('Which date of errata counts.'),
  created_at: words('When it was made.'),
  updated_at: words('When it changed last.'),
})

const rules: ReadableKey = {
  schema: () => z.array(RULE).meta({ description: 'Its rules.' }),
  sql: (alias) =>
    selectJsonList(sql`
      select json_build_object('id', r.id, 'content_view_filter_id', r.content_view_filter_id, 'name', r.name, 'uuid', r.uuid,
          'version', r.version, 'min_version', r.min_version, 'max_version', r.max_version, 'architecture', r.architecture,
          'errata_id', r.errata_id, 'start_date', r.start_date, 'end_date', r.end_date, 'types', r.types, 'date_type', r.date_type,
          'created_at', ${selectMoment(sql`r.created_at`)}, 'updated_at', ${selectMoment(sql`r.updated_at`)}) as item, r.id as place
      from content_view_filter_rules r where r.content_view_filter_id = ${sql.ref(`${alias}.id`)}`),
}

/** What of its repositories a view is to have. Packages are not known here: it is kept, and leaves nothing out. */
export const contentViewFilters = defineResource({
  name: 'content_view_filter',
  surface: 'content',
  summary: 'What of its repositories a content view is to have, or is to be without.',
  fields: {
    content_view: link('content_view', {
      required: true,
      onDelete: 'cascade',
      search: true,
      show: ['id', 'name', 'label'],
      doc: 'The view that it is of, for ever.',
    }),
    name: contentName({ taken: 'has already been taken', doc: 'Unique in its view.' }),
    type: text({
      required: true,
      oneOf: FILTER_TYPES,
      search: 'explicit',
      doc: `What it is about: ${FILTER_TYPES.join(', ')}. Never changes.`,
    }),
    description: text({ max: 65_535, search: 'explicit', doc: 'For people.' }),
    inclusion: boolean({
      initial: false,
      search: 'explicit',
      doc: 'True: the view has nothing but what the rules name; false: it is without that.',
    }),
    original_packages: boolean({ initial: false, doc: 'Packages without an erratum count as named (type rpm).' }),
    original_module_streams: boolean({
      initial: false,
      doc: 'Module streams without an erratum count as named (type modulemd).',
    }),
    repositories: repositoriesOfFilter('Repositories of the view that it is about; none: all of them.'),
  },
  operations: ['show', 'create', 'update', 'delete'],
  label: 'name',
  partOf: 'content_view',
  parents: { content_view: 'content_view' },
  views: { list: KEYS, show: KEYS },
  readable: { rules },
  wire: { suggests: true },
  rules: [validateFilter],
  around: filterWrites,
  actions: [listFilters],
})
