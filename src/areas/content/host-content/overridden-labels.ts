import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import type { Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { compileContentSearch, limitToSeenProducts } from '../shared/content-conditions.ts'

/** Loads the labels of contents that a search finds (null: all), of products that the caller may see. */
export async function loadLabels(
  tx: Context,
  { registry }: Resource,
  organization: number,
  query: string | null,
): Promise<readonly string[]> {
  const labels = await rows<{ label: string }>(
    tx.db,
    sql`select distinct c.label from product_contents t join contents c on c.id = t.content_id
      join products o on o.id = t.product_id
      where c.organization_id = ${organization} and o.organization_id = ${organization}
        and ${compileContentSearch(tx, query ?? '')} and ${limitToSeenProducts(tx, registry)} order by 1`,
  )
  return labels.map(({ label }) => label)
}
