import type { SearchField } from '../../search/schema.ts'
import { sql } from '../../sql.ts'

/**
 * Search fields for the version of the operating system of hosts and host groups. Parts compare as numbers; a part that
 * is not a number is null.
 */
export const systemVersion: readonly SearchField[] = [buildSystemSearch('major'), buildSystemSearch('minor')]

function buildSystemSearch(part: 'major' | 'minor'): SearchField {
  return {
    name: `os_${part}`,
    type: 'decimal',
    column: part,
    expression: (alias) => {
      const text = sql.ref(`${alias}.${part}`)
      return sql`case when ${text} ~ '^[0-9]+(\\.[0-9]+)?$' then ${text}::numeric end`
    },
    through: [{ table: 'operatingsystems', column: 'id', previous: 'operatingsystem_id' }],
    nullable: true,
    explicit: true,
  }
}
