import type { Db } from '../src/database/sql.ts'
import { sql } from '../src/sql.ts'

/** Changes of one record, so that histories are equally long however many audits there are. */
const PER_RECORD = 20

/**
 * Fills the audits of three years, up to now, with their places and numbers: two of three are about hosts, and each of fifty users
 * has made one of fifty. Names and values look random and are equal in each run.
 */
export async function fillAudits(db: Db, count: number, organization: number, location: number): Promise<void> {
  await db.transaction(async (tx) => {
    await sql`alter table audits disable trigger queue_audits, disable trigger audits_user_login`.execute(tx)
    await sql`truncate audits, audits_order, audit_organizations, audit_locations, event_queue, event_order, event_notes`.execute(
      tx,
    )
    await sql`
      insert into audits (user_id, user_name, user_login, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        comment, remote_address, request_uuid, created_at)
      select n % 50 + 10, 'person' || n % 50, 'person' || n % 50, case n / records when 0 then 'create' else 'update' end,
        case n % records % 3 when 0 then 'Architecture' else 'Host' end, n % records + 1, 'h' || substr(md5((n % records)::text), 1, 10),
        jsonb_build_object('comment', jsonb_build_array('before ' || md5(n::text), 'after ' || md5((n + 1)::text))), n / records + 1,
        case when n % 10 = 0 then 'ticket ' || substr(md5(n::text), 1, 8) end, ('10.0.' || n % 200 || '.' || n % 250)::inet, md5(n::text),
        now() - (${count}::bigint - n) * (interval '1095 days' / ${count}::bigint)
      from generate_series(0, ${count}::bigint - 1) n cross join (select ${Math.ceil(count / PER_RECORD)}::bigint as records) r`.execute(
      tx,
    )
    await sql`insert into audit_organizations select id, ${organization}::bigint from audits where auditable_type <> 'Architecture'`.execute(
      tx,
    )
    await sql`insert into audit_locations select id, ${location}::bigint from audits where auditable_type <> 'Architecture'`.execute(
      tx,
    )
    await sql`insert into event_order (number, audit_id) select row_number() over (order by id), id from audits`.execute(
      tx,
    )
    await sql`update event_positions set position = ${count}::bigint`.execute(tx)
    await sql`alter table audits enable trigger queue_audits, enable trigger audits_user_login`.execute(tx)
  })
}
