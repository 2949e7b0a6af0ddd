import { type RawBuilder, sql } from 'kysely'

/**
 * The condition under which a stored time of use is replaced: at most once a minute. A time that lies in the future was
 * stored by a clock that was ahead, and is replaced at the next use.
 */
export function isDue(column: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} between now() - interval '1 minute' and now() + interval '1 minute') is not true`
}
