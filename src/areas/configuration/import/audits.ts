import { type AuditPlaces, insertAudits } from '../../../database/audits.ts'
import type { Db } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** The user, or the service, on whose behalf classes are imported. */
export interface ImportCause {
  readonly user: { readonly id: number | null; readonly name: string }
  readonly origin: { readonly requestId: string | null; readonly address: string | null }
}

/** An audit of one record. */
export interface ImportAuditEntry {
  readonly id: number
  readonly name: string
  readonly changes: Readonly<Record<string, unknown>>
}

type AuditedType = 'Configclass' | 'SmartClassParameter' | 'Environment' | 'Host'

/** Stands in audits for hidden values. */
export const REDACTED = '[redacted]'

/** Records audits of many records of a type, in the transaction of the changes and in one statement (core-api §10). */
export async function recordImportAudits(
  tx: Db,
  { user, origin }: ImportCause,
  action: 'create' | 'update' | 'destroy',
  type: AuditedType,
  entries: readonly ImportAuditEntry[],
): Promise<void> {
  await insertAudits(
    tx,
    { userId: user.id, userName: user.name, ...origin },
    entries.map((entry) => ({ action, type, ...entry })),
    PLACES[type] ?? {},
  )
}

const PLACES: { readonly [Type in AuditedType]?: AuditPlaces } = {
  Environment: {
    organizations: sql`select l.organization_id from environment_organizations l where l.environment_id = written.auditable_id`,
    locations: sql`select l.location_id from environment_locations l where l.environment_id = written.auditable_id`,
  },
  Host: {
    organizations: sql`select h.organization_id from hosts h where h.id = written.auditable_id and h.organization_id is not null`,
    locations: sql`select h.location_id from hosts h where h.id = written.auditable_id and h.location_id is not null`,
  },
}
