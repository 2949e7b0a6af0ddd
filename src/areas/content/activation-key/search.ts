import type { Sql } from '../../../database/sql.ts'
import { compileColumnCondition, type SearchField } from '../../../search/index.ts'
import type { FieldTest, SearchOptions } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'

const FURTHER = 'activation_key_environments'
const POOLS = { table: 'activation_key_subscriptions', column: 'activation_key_id', previous: 'id' }
const COLLECTIONS = { table: 'activation_key_host_collections', column: 'activation_key_id', previous: 'id' }

/** Search fields of keys beside their own columns (spec 4.6, content-api §1.3). */
export const keySearch: readonly SearchField[] = [
  searchInPairs('content_view', 'content_views', 'content_view_id'),
  searchInPairs('environment', 'lifecycle_environments', 'environment_id'),
  searchById('content_view_id', 'content_view_id'),
  { ...searchById('lifecycle_environment_id', 'environment_id'), aliases: ['environment_id'] },
  {
    name: 'addon',
    type: 'text',
    column: null,
    expression: (alias) => sql`${sql.ref(`${alias}.purpose_addons`)}[1]`,
    nullable: true,
    noCompletion: true,
    freeOperator: 'eq',
    virtual: (test, options) => sql`exists (select from unnest(${sql.ref(`${test.root}.purpose_addons`)}) as a (name)
      where ${compareColumn('text', sql`a.name`, test, options)})`,
    present: ({ root }) => sql`cardinality(${sql.ref(`${root}.purpose_addons`)}) > 0`,
  },
  {
    name: 'subscription_name',
    type: 'text',
    column: 'name',
    through: [POOLS, { table: 'subscriptions', column: 'id', previous: 'subscription_id' }],
    many: true,
    nullable: true,
    freeOperator: 'eq',
  },
  { name: 'service_level', type: 'text', column: 'service_level', nullable: true, explicit: true },
  { name: 'release_version', type: 'text', column: 'release_version', nullable: true, explicit: true },
  { name: 'auto_attach', type: 'boolean', column: 'auto_attach', explicit: true },
  { name: 'unlimited_hosts', type: 'boolean', column: 'unlimited_hosts', explicit: true },
  {
    name: 'host_collection',
    type: 'text',
    column: 'name',
    through: [COLLECTIONS, { table: 'host_collections', column: 'id', previous: 'host_collection_id' }],
    many: true,
    nullable: true,
    explicit: true,
    viewedWith: { permission: 'view_host_collections', resource: 'host_collection', column: 'id' },
  },
  {
    name: 'host_collection_id',
    type: 'integer',
    column: 'host_collection_id',
    through: [COLLECTIONS],
    many: true,
    nullable: true,
    explicit: true,
    viewedWith: { permission: 'view_host_collections', resource: 'host_collection', column: 'host_collection_id' },
  },
  // A pool has only its id as a search field.
  {
    name: 'subscription_id',
    type: 'integer',
    column: 'subscription_id',
    through: [POOLS],
    many: true,
    explicit: true,
  },
]

/** A search field for a record in any pair of a key, by name; keys are sorted by the first pair. */
function searchInPairs(name: string, table: string, column: string): SearchField {
  return {
    name,
    type: 'text',
    column: 'name',
    through: [{ table, column: 'id', previous: column }],
    nullable: true,
    freeOperator: 'like',
    tables: [FURTHER],
    virtual: (test, options) => {
      const found = sql`(select x.id from ${sql.table(table)} x where ${compareColumn('text', sql`x.name`, test, options)})`
      return selectAnyPair(test.root, column, (stands) => sql`${stands} in ${found}`)
    },
    present: ({ root }) => sql`${sql.ref(`${root}.${column}`)} is not null`,
  }
}

/** A search field for the id of a linked record. */
function searchById(name: string, column: string): SearchField {
  return {
    name,
    type: 'integer',
    column,
    nullable: true,
    explicit: true,
    tables: [FURTHER],
    virtual: (test, options) =>
      selectAnyPair(test.root, column, (stands) => compareColumn('integer', stands, test, options, column)),
    present: ({ root }) => sql`${sql.ref(`${root}.${column}`)} is not null`,
  }
}

function selectAnyPair(root: string, column: string, condition: (stands: Sql) => Sql): Sql {
  return sql`(${condition(sql.ref(`${root}.${column}`))}
    or ${sql.ref(`${root}.id`)} in (select f.activation_key_id from ${sql.table(FURTHER)} f where ${condition(sql.ref(`f.${column}`))}))`
}

function compareColumn(
  type: 'text' | 'integer',
  column: Sql,
  { operator, value }: FieldTest,
  options: SearchOptions,
  called = 'name',
): Sql {
  return compileColumnCondition({ name: called, type, column: called }, column, operator, value, options)
}
