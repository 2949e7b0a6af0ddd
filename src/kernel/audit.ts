import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Placed, Resource, Stored } from './resource.ts'
import { TAXONOMIES, taxonomyLink } from './scope.ts'
import { storedValue } from './store/write.ts'

export type AuditAction = 'create' | 'update' | 'destroy'

const REDACTED = '[redacted]'

/**
 * Records who changed what, in the transaction that changed it (core-api §10). `changed` names the fields; create and
 * destroy keep their values, update the old and the new. Secrets are masked.
 */
export async function audit(
  ctx: Context,
  resource: Resource,
  action: AuditAction,
  record: { readonly id: number; readonly label: string | null },
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!resource.audited) return
  await sql`
    with written as (
      insert into audits (user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version, remote_address, request_uuid)
      select ${ctx.user.id}::bigint, ${ctx.user.name}::text, ${action}::text, ${resource.type}::text, ${record.id}::bigint, ${record.label}::text,
        ${JSON.stringify(changes)}::jsonb, coalesce(max(version), 0) + 1, ${ctx.origin.address}::inet, ${ctx.origin.requestId}::text
      from audits where auditable_type = ${resource.type} and auditable_id = ${record.id}
      returning id
    )${sql.join(
      TAXONOMIES.map((taxonomy) => inheriting(resource, taxonomy, record.id)),
      sql``,
    )}
    select id from written`.execute(ctx.db)
}

/** Audits are seen from where the record is seen (core-api §10.2). */
function inheriting(resource: Resource, taxonomy: (typeof TAXONOMIES)[number], id: number) {
  const { kind, plural } = taxonomy
  const target = sql`${sql.table(`audit_${plural}`)} (audit_id, ${sql.ref(`${kind}_id`)})`
  if (resource.name === kind) {
    return sql`, ${sql.ref(`into_${plural}`)} as (insert into ${target} select written.id, x.id from written, ${sql.table(plural)} x where x.id = ${id})`
  }
  if (!resource.taxable) return sql``
  const link = taxonomyLink(resource, taxonomy)
  return sql`, ${sql.ref(`into_${plural}`)} as (insert into ${target} select written.id, ${sql.ref(`l.${kind}_id`)} from written, ${sql.table(link.table)} l where ${sql.ref(`l.${link.own}`)} = ${id})`
}

/** All audited values of a record that was created or is about to be destroyed. */
export function everyValue(resource: Resource, stored: Stored): Record<string, unknown> {
  return Object.fromEntries(
    audited(resource).map((placed) => [auditName(placed), masked(placed, storedValue(placed, stored))]),
  )
}

/** Old and new values of the fields that an update changes. */
export function oldAndNew(
  resource: Resource,
  stored: Stored,
  changed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const touched = audited(resource).filter(({ name }) => name in changed)
  return Object.fromEntries(
    touched.map((placed) => [
      auditName(placed),
      [masked(placed, storedValue(placed, stored)), masked(placed, changed[placed.name])],
    ]),
  )
}

function audited(resource: Resource): Placed[] {
  return resource.placed.filter(({ column, elsewhere }) => column || elsewhere)
}

function auditName({ name, at, column, elsewhere }: Placed): string {
  return column?.name ?? elsewhere?.auditedAs(at) ?? name
}

function masked({ field }: Placed, value: unknown): unknown {
  return field.secret && value !== null && value !== undefined ? REDACTED : value
}
