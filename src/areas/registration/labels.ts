import { sql } from 'kysely'

/**
 * Selects the label of the view `v` in the environment `e`, e.g. `dev/web`; only the environment's for the default view
 * in the Library (content-api §8.3).
 */
export const VIEW_ENVIRONMENT_LABEL = sql`case when v."default" and e.library then e.label else e.label || '/' || v.label end`
