import type { SearchField } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'

/** The search field for the vendor of a template: existing clients ask for it, and no template here comes from one. */
export const NO_VENDOR: SearchField = {
  name: 'vendor',
  type: 'text',
  column: 'vendor',
  expression: () => sql`null::text`,
  nullable: true,
  explicit: true,
  noCompletion: true,
}
