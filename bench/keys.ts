import type { Db } from '../src/database/sql.ts'
import { sql } from '../src/sql.ts'

/**
 * Fills tables with activation keys of a large site: each in an environment, most with a collection, some with
 * subscriptions.
 */
export async function fillKeys(db: Db, keys: number, organization: number): Promise<void> {
  await sql`insert into products (organization_id, cp_id, name)
    select ${organization}::bigint, n::text, 'Product ' || n from generate_series(1, 50) n`.execute(db)
  await sql`insert into subscriptions (organization_id, product_id, name)
    select organization_id, id, name from products where organization_id = ${organization}::bigint`.execute(db)
  await sql`insert into host_collections (organization_id, name)
    select ${organization}::bigint, 'Collection ' || n from generate_series(1, 100) n`.execute(db)
  await sql`insert into activation_keys (organization_id, name, description, environment_id, content_view_id, user_id)
    select ${organization}::bigint, 'key-' || substr(md5(n::text), 1, 12), 'Key number ' || n, p.environment_id, p.content_view_id, 1
    from generate_series(1, ${keys}::int) n, content_view_environments p
      join lifecycle_environments e on e.id = p.environment_id and e.organization_id = ${organization}::bigint`.execute(
    db,
  )
  await sql`insert into activation_key_host_collections
    select k.id, (select min(id) from host_collections) + k.id % 100 from activation_keys k where k.id % 4 > 0`.execute(
    db,
  )
  await sql`insert into activation_key_subscriptions (activation_key_id, subscription_id)
    select k.id, (select min(id) from subscriptions) + (k.id + n) % 50 from activation_keys k, generate_series(0, 2) n where k.id % 3 = 0`.execute(
    db,
  )
}
