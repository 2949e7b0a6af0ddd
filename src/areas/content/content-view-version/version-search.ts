import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import { type Action, list } from '../../../kernel/index.ts'
import { compileColumnCondition, type Operator, type SearchField } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'
import { limitToRequestedEnvironment } from '../content-view/filters.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { type Filters, filteredList, readFilters } from '../shared/filtered.ts'

const NUMBER = /^(\d{1,9})(?:\.(\d{1,9}))?$/

const COMPARED: Partial<Record<Operator, Sql>> = {
  eq: sql`=`,
  ne: sql`<>`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
}

const TEXT: SearchField = { name: 'version', type: 'text', column: 'version' }

/**
 * Search fields of versions. Numbers compare as numbers: 10.0 is greater than 9.1, and 2 means 2.0 (content-api §8.3).
 */
export const versionSearch: readonly SearchField[] = [
  {
    name: 'version',
    type: 'text',
    column: 'version',
    expression: (alias) => sql`array[${sql.ref(`${alias}.major`)}, ${sql.ref(`${alias}.minor`)}]`,
    noCompletion: true,
    freeOperator: 'eq',
    virtual: ({ operator, value, root }, options) => {
      const sign = COMPARED[operator]
      const number = NUMBER.exec(value.trim())
      if (sign && number) return compareVersions(root, sign, Number(number[1]), Number(number[2] ?? 0))
      return compileColumnCondition(TEXT, sql.ref(`${root}.version`), operator, value, options)
    },
  },
  {
    name: 'environment_id',
    type: 'integer',
    column: 'environment_id',
    through: [{ table: 'content_view_environments', column: 'content_view_version_id', previous: 'id' }],
    many: true,
    nullable: true,
    explicit: true,
  },
]

function compareVersions(alias: string, sign: Sql, major: number, minor: number): Sql {
  return sql`(${sql.ref(`${alias}.major`)}, ${sql.ref(`${alias}.minor`)}) ${sign} (${major}::integer, ${minor}::integer)`
}

const FILTERS: Filters = {
  version: {
    doc: 'Only versions with this number.',
    where: (value, alias) => {
      const number = NUMBER.exec(value)
      if (!number) throw badParameter('version', value, 'must be a number such as 2.0')
      return compareVersions(alias, sql`=`, Number(number[1]), Number(number[2] ?? 0))
    },
  },
  composite_version_id: {
    doc: 'Only versions that this version of a composite view is made of.',
    where: (value, alias) => {
      if (!/^\d{1,15}$/.test(value)) throw badParameter('composite_version_id', value, 'must be an id')
      return sql`${sql.ref(`${alias}.id`)} in (select c.component_version_id from content_view_version_components c where c.content_view_version_id = ${Number(value)})`
    },
    tables: ['content_view_version_components'],
  },
}

const plain = filteredList('versions of content views', CONTENT_VIEW_PERMISSIONS.view_content_views, FILTERS)

/** The list of versions with its filter parameters. */
export const filteredVersions: Action = {
  ...plain,
  query: {
    ...plain.query,
    environment_id: z.string().optional().meta({ description: 'Only versions that this environment has.' }),
  },
  handle: async (ctx, resource, input) =>
    list(ctx, resource, input, [
      ...readFilters(FILTERS, input),
      ...(await limitToRequestedEnvironment(
        ctx,
        resource.registry,
        input,
        (alias, environment) =>
          sql`${sql.ref(`${alias}.id`)} in (select p.content_view_version_id from content_view_environments p where p.environment_id = ${environment})`,
      )),
    ]),
}
