import type { SearchField } from '../../search/schema.ts'
import { sql } from '../../sql.ts'

/**
 * Search fields for the version of the operating system of hosts and host groups. Parts compare as numbers; a part that
 * is not a number is null, and one that is blank is `blank`.
 */
export function buildSystemVersion(blank: number | null): readonly SearchField[] {
  return [buildSystemSearch('major', blank), buildSystemSearch('minor', blank)]
}

function buildSystemSearch(part: 'major' | 'minor', blank: number | null): SearchField {
  return {
    name: `os_${part}`,
    type: 'decimal',
    column: `os_${part}`,
    expression: (alias) => {
      const text = sql.ref(`${alias}.${part}`)
      // Without a system there is no part, also where its row is joined: otherwise walks by the order would not end.
      const isBlank = sql`${sql.ref(`${alias}.id`)} is not null and coalesce(${text}, '') = ''`
      const otherwise = blank === null ? sql`` : sql` when ${isBlank} then ${sql.lit(blank)}::numeric`
      return sql`case when ${text} ~ '^[0-9]+(\\.[0-9]+)?$' then ${text}::numeric${otherwise} end`
    },
    through: [{ table: 'operatingsystems', column: 'id', previous: 'operatingsystem_id' }],
    nullable: true,
    explicit: true,
  }
}
