import { compileColumnCondition, type SearchField } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'

const VALUE: SearchField = { name: 'facts', type: 'text', column: 'value' }

/**
 * The search field `facts.<name>` of hosts. `=` uses an index of name and the first 100 characters of the value; other
 * operators read all values of one fact. `<` and `>` with a number compare numeric values only.
 */
export const factSearch: SearchField = {
  name: 'facts',
  type: 'text',
  column: 'value',
  nullable: true,
  explicit: true,
  many: true,
  viewedWith: { permission: 'view_facts', resource: 'host', column: 'host_id' },
  through: [{ table: 'fact_values', column: 'host_id', previous: 'id' }],
  cost: 120,
  key: { column: 'name', through: [{ table: 'fact_names', column: 'id', previous: 'fact_name_id' }] },
  virtual: ({ operator, value, key, root, counting }, options) => {
    const numeric = ['gt', 'gte', 'lt', 'lte'].includes(operator) && NUMBER.test(value)
    const condition = numeric
      ? compileColumnCondition({ ...VALUE, type: 'decimal' }, NUMERIC, operator, value, options)
      : compileColumnCondition(VALUE, sql`v.value`, operator, value, options)
    const indexed = operator === 'eq' ? sql` and left(v.value, 100) = left(${value}::text, 100)` : sql``
    return sql`${sql.ref(`${root}.id`)} in (select v.host_id from fact_values v
      where v.fact_name_id = (select n.id from fact_names n where n.name = ${key})${indexed} and ${condition}${counting ? sql` and ${counting('v')}` : sql``})`
  },
}

const NUMBER = /^\s*[-+]?\d{1,100}(\.\d{1,100})?\s*$/
const NUMERIC = sql`case when v.value ~ '^[-+]?[0-9]{1,100}(\\.[0-9]{1,100})?$' then v.value::numeric end`
