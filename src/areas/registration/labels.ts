import { type Sql, selectObject } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/**
 * Selects the label of the view `v` in the environment `e`, e.g. `dev/web`; only the environment's for the default view
 * in the Library (content-api §8.3).
 */
export const VIEW_ENVIRONMENT_LABEL = sql`case when v."default" and e.library then e.label else e.label || '/' || v.label end`

/** The SQL of a pair in answers: the environment `e`, the view `v` and the label of both. */
export const VIEW_ENVIRONMENT: Readonly<Record<string, Sql>> = {
  environment: selectObject({ id: sql`e.id`, name: sql`e.name` }),
  content_view: selectObject({ id: sql`v.id`, name: sql`v.name` }),
  label: VIEW_ENVIRONMENT_LABEL,
}
