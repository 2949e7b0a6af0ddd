import type { Sql } from '../../src/database/sql.ts'
import { compileColumnCondition } from '../../src/search/conditions.ts'
import { type FieldTest, SearchError, type SearchField } from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'

/** Recorded fields that build their own SQL, as schema.json describes each in words. */
export const VIRTUAL: Readonly<Record<string, Pick<SearchField, 'virtual' | 'operators'>>> = {
  host_group_subtree: {
    virtual: (test) => sql`exists (
      select 1 from recorded.hostgroups g
      join (select title from recorded.hostgroups where ${text(sql`title`, test)} order by id limit 1) parent
        on g.title = parent.title or starts_with(g.title, parent.title || '/')
      where g.id = ${sql.ref(`${test.root}.hostgroup_id`)})`,
  },
  fact_compare: { virtual: factCompare },
  view_label_compare: {
    virtual: (test) => sql`exists (select 1 from recorded.content_views v
      where v.id = ${sql.ref(`${test.root}.content_view_id`)} and ${text(sql`v.label`, test)})`,
  },
  usage_compare: { virtual: (test) => text(sql.ref(`${test.root}.usage_code`), test) },
  capacity_test: { virtual: capacity },
  purpose: { virtual: purpose, operators: ['=', '!=', '~', '!~', '^', '!^'] },
}

const PLAIN: SearchField = { name: 'value', type: 'text', column: 'value' }

function text(column: Sql, { operator, value }: FieldTest): Sql {
  return compileColumnCondition(PLAIN, column, operator, value, { now: new Date(0), zone: 'UTC', root: '' })
}

function factCompare(test: FieldTest): Sql {
  const number = /^[+-]?\d+$/.test(test.value) && ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'].includes(test.operator)
  const compared = number
    ? compileColumnCondition(
        { ...PLAIN, type: 'decimal' },
        sql`(case when v.value ~ '^\\d+$' then v.value::numeric end)`,
        test.operator,
        test.value,
        {
          now: new Date(0),
          zone: 'UTC',
          root: '',
        },
      )
    : text(sql`v.value`, test)
  return sql`exists (select 1 from recorded.fact_values v join recorded.fact_names n on n.id = v.fact_name_id
    where v.host_id = ${sql.ref(`${test.root}.id`)} and n.name = ${test.key} and ${compared})`
}

function capacity({ operator, value, root }: FieldTest): Sql {
  const unlimited = sql.ref(`${root}.unlimited_hosts`)
  const most = sql.ref(`${root}.max_hosts`)
  const conditions: Readonly<Record<string, Sql>> = {
    unlimited: sql`${unlimited}`,
    closed: sql`(not ${unlimited} and ${most} = 0)`,
    limited: sql`(not ${unlimited} and ${most} > 0)`,
  }
  const condition = Object.hasOwn(conditions, value) ? conditions[value] : undefined
  if (!condition || (operator !== 'eq' && operator !== 'ne'))
    throw new SearchError('capacity is unlimited, closed or limited')
  return operator === 'eq' ? condition : sql`not ${condition}`
}

function purpose(test: FieldTest): Sql {
  const stored: Readonly<Record<string, string>> = { development: 'dev', production: 'prod', quality: 'qa' }
  const translate = (item: string) => {
    if (Object.hasOwn(stored, item)) return stored[item] as string
    throw new SearchError(`Translation from any value to nil is not allowed, translated '${item}'`)
  }
  const column = sql.ref(`${test.root}.purpose`)
  if (test.operator === 'like' || test.operator === 'unlike') return text(column, test)
  const list = test.operator === 'in' || test.operator === 'notin'
  const value = list
    ? test.value
        .split(',')
        .map((item) => translate(item.trim()))
        .join(',')
    : translate(test.value)
  return text(column, { ...test, value })
}
