import type { X509Certificate } from 'node:crypto'
import { type Context, inTransaction } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { sql } from '../../sql.ts'
import type { HostRecords } from './hosts.ts'

/** The registration that a host had at another server. */
export interface FormerRegistration {
  readonly uuid: string
  readonly systemUuid: string | null
  /** An ISO time; null: unknown. */
  readonly registeredAt: string | null
}

/** Stores the registration that a host brings along, unless it is registered here, or another host has that identity. */
export async function storeFormerRegistration(tx: Context, host: number, former: FormerRegistration): Promise<void> {
  const { uuid, systemUuid, registeredAt } = former
  await sql`insert into host_wishes (host_id, former_uuid, former_system_uuid, former_registered_at)
    select ${host}::bigint, ${uuid}::uuid, ${systemUuid}::text, ${registeredAt}::timestamptz
    where not exists (select from registrations where host_id = ${host} or uuid = ${uuid}::uuid)
      and not exists (select from host_wishes where former_uuid = ${uuid}::uuid and host_id <> ${host})
    on conflict (host_id) do update set former_uuid = excluded.former_uuid,
      former_system_uuid = excluded.former_system_uuid, former_registered_at = excluded.former_registered_at`.execute(
    tx.db,
  )
}

/**
 * Makes a registration of the one that a host brought along, with the certificate from there, whose signature was verified. Does
 * nothing where there is none, or where another request was faster.
 */
export async function continueRegistration(
  ctx: Context,
  records: Pick<HostRecords, 'audit'>,
  uuid: string,
  certificate: X509Certificate,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const adopted = await row<{ host: number }>(
      tx.db,
      sql`with former as (
        delete from host_wishes w using hosts h
        where w.former_uuid = ${uuid}::uuid and h.id = w.host_id and h.organization_id is not null
          and not exists (select from registrations r where r.host_id = h.id)
        returning w.*
      )
      insert into registrations (host_id, uuid, serial, certificate, expires_at, system_uuid, service_level, release_version,
        purpose_usage, purpose_role, purpose_addons, autoheal, last_checkin, registered_at)
      select host_id, former_uuid, ${BigInt(`0x${certificate.serialNumber}`).toString()}, ${certificate.toString()},
        ${certificate.validToDate}::timestamptz, former_system_uuid, service_level, release_version,
        purpose_usage, purpose_role, purpose_addons, autoheal, now(), coalesce(former_registered_at, now())
      from former on conflict do nothing returning host_id as host`,
    )
    if (adopted) await records.audit(tx, adopted.host, { registration: [null, uuid] })
  })
}
