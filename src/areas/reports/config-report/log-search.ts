import { sql } from 'kysely'
import { SearchError } from '../../../search/error.ts'
import type { FieldTest, SearchField } from '../../../search/schema.ts'

/** A report has some dozens of lines, each of which is looked through. */
const COST = 1000

/** Reports by a text of their log: messages, or the resources that these are about. */
export const logSearch: readonly SearchField[] = [byText('log', 'log_messages'), byText('resource', 'log_sources')]

function byText(name: string, column: string): SearchField {
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
