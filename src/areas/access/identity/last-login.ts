import { type Sql, sql } from '../../../sql.ts'

/**
 * The condition under which a stored time of use is replaced: at most once a minute. A time more than a day
 * ahead was stored by a wrong clock, and is replaced at the next use; what is ahead by less comes right by itself.
 */
export function isDue(column: string): Sql<boolean> {
  return sql<boolean>`(${sql.ref(column)} between now() - interval '1 minute' and now() + interval '1 day') is not true`
}
