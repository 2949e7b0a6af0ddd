import { asService, type Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { createRecord, findResource, lock, type Resource, valuesOf } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** Copies the filters of a view to its copy, with their rules; each filter and each rule gets an audit. */
export async function copyFilters(tx: Context, { registry }: Resource, original: number, copy: number): Promise<void> {
  const filters = findResource(registry, 'content_view_filter')
  const rules = findResource(registry, 'content_view_filter_rule')
  const service = asService(tx) // whoever may copy a view copies all of it
  for (const id of await idsOf(tx, sql`select id from content_view_filters where content_view_id = ${original}`)) {
    const values = valuesOf(filters, await lock(tx, filters, id))
    // Repositories that were removed from the view are not in its copy.
    const repositories = await idsOf(
      tx,
      sql`select l.repository_id as id from content_view_filter_repositories l
        join content_view_repositories r on r.repository_id = l.repository_id and r.content_view_id = ${original}
        where l.content_view_filter_id = ${id}`,
    )
    const filter = await createRecord(service, filters, { ...values, repositories, content_view: copy })
    for (const rule of await idsOf(
      tx,
      sql`select id from content_view_filter_rules where content_view_filter_id = ${id}`,
    ))
      await createRecord(service, rules, {
        ...valuesOf(rules, await lock(tx, rules, rule)),
        content_view_filter: filter,
      })
  }
}

async function idsOf(tx: Context, statement: Sql): Promise<number[]> {
  const found = await rows<{ id: number }>(tx.db, sql`select id from (${statement}) of_those order by id`)
  return found.map(({ id }) => id)
}
