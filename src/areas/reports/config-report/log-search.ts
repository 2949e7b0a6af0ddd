import { SearchError } from '../../../search/error.ts'
import type { FieldTest, SearchField } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'

/** High, because every line of the logs, some dozens in a report, is searched. */
const COST = 1000

/** Search fields of reports by text of their logs: messages, or the resources these are about. */
export const logSearch: readonly SearchField[] = [
  buildTextSearch('log', 'log_messages'),
  buildTextSearch('resource', 'log_sources'),
]

function buildTextSearch(name: string, column: string): SearchField {
  return {
    name,
    type: 'text',
    column: null,
    explicit: true,
    noCompletion: true,
    operators: ['= ', '~ '],
    tables: ['report_texts'],
    cost: COST,
    virtual: ({ operator, value, root }: FieldTest) => {
      if (operator !== 'eq' && operator !== 'like')
        throw new SearchError(`Operator of '${name}' must be = or ~: write ${name} ~ text`)
      const found = operator === 'eq' ? sql`x.value = ${value}` : sql`position(fold(${value}) in fold(x.value)) > 0`
      return sql`exists (select from report_texts x where x.id = any (${sql.ref(`${root}.${column}`)}) and ${found})`
    },
  }
}
