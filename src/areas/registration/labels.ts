import { sql } from 'kysely'

/** The label of the view `v` in the environment `e`, such as `dev/web`; the default view in the Library is just that (content-api §8.3). */
export const VIEW_ENVIRONMENT_LABEL = sql`case when v."default" and e.library then e.label else e.label || '/' || v.label end`
