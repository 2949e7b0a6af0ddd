import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import type { Placed, Resource, Stored } from './resource.ts'
import { TAXONOMIES, type Taxonomy, taxonomyLink } from './scope.ts'
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
      select nullif(${ctx.user.id}::bigint, 0), ${ctx.user.name}::text, ${action}::text, ${resource.type}::text, ${record.id}::bigint, ${record.label}::text,
        ${JSON.stringify(changes)}::jsonb, coalesce(max(version), 0) + 1, ${ctx.origin.address}::inet, ${ctx.origin.requestId}::text
      from audits where auditable_type = ${resource.type} and auditable_id = ${record.id}
      returning id
    )${sql.join(
      TAXONOMIES.map((taxonomy) => inheriting(resource, taxonomy, record.id)),
      sql``,
    )}
    select id from written`.execute(ctx.db)
}

/** Audits are seen from where the record is seen (core-api §10.2), those of parts from where what they belong to is. */
function inheriting(resource: Resource, taxonomy: Taxonomy, id: number): Sql {
  const { kind, plural } = taxonomy
  const places = [{ resource, id: sql`${id}::bigint` }, ...ownersOf(resource, id)].flatMap((one) =>
    placesOf(one, taxonomy),
  )
  if (places.length === 0) return sql``
  return sql`, ${sql.ref(`into_${plural}`)} as (
    insert into ${sql.table(`audit_${plural}`)} (audit_id, ${sql.ref(`${kind}_id`)})
    select written.id, places.id from written, (${sql.join(places, sql` union `)}) places)`
}

interface Placeable {
  readonly resource: Resource
  readonly id: Sql
}

/** What a record belongs to that is reached below others only; most of these are none. */
function ownersOf({ table, partOf, nestedOnly, parents, placed }: Resource, id: number): Placeable[] {
  const names = partOf ? [partOf] : nestedOnly ? Object.values(parents) : []
  return names.flatMap((name) => {
    const link = placed.find((candidate) => candidate.name === name)
    if (!link?.column || !link.field.refersTo) return []
    const owner = sql`(select ${sql.ref(`t.${link.column.name}`)} from ${sql.table(table)} t where t.id = ${id})`
    return [{ resource: link.at.target(link.field.refersTo.resource), id: owner }]
  })
}

/** The organizations or locations of a record, as statements that select ids. */
function placesOf({ resource, id }: Placeable, taxonomy: Taxonomy): Sql[] {
  const { kind, plural } = taxonomy
  if (resource.name === kind) return [sql`select x.id from ${sql.table(plural)} x where x.id = ${id}`]
  if (!resource.taxable) return []
  if (resource.taxable === 'organization' && kind === 'location') return []
  if (resource.taxable === 'own' || resource.taxable === 'organization') {
    const own = sql.ref(`x.${kind}_id`)
    return [sql`select ${own} as id from ${sql.table(resource.table)} x where x.id = ${id} and ${own} is not null`]
  }
  const link = taxonomyLink(resource, taxonomy)
  return [
    sql`select ${sql.ref(`l.${kind}_id`)} as id from ${sql.table(link.table)} l where ${sql.ref(`l.${link.own}`)} = ${id}`,
  ]
}

/** All audited values of a record that was created or is about to be destroyed. */
export function everyValue(resource: Resource, stored: Stored): Record<string, unknown> {
  return Object.fromEntries(
    audited(resource).map((placed) => [auditName(placed), masked(placed, storedValue(placed, stored), stored)]),
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
      [
        masked(placed, storedValue(placed, stored), stored, changed),
        masked(placed, changed[placed.name], stored, changed),
      ],
    ]),
  )
}

function audited(resource: Resource): Placed[] {
  return resource.placed.filter(({ column, elsewhere }) => column || elsewhere)
}

function auditName({ name, at, column, elsewhere }: Placed): string {
  return column?.name ?? elsewhere?.auditedAs(at) ?? name
}

/** Secrets, and what the record hides or hid: whoever shows a hidden value again does not show the one it had. */
function masked({ field }: Placed, value: unknown, ...states: readonly Readonly<Record<string, unknown>>[]): unknown {
  const hides = field.secret || states.some((state) => field.maskedBy !== undefined && state[field.maskedBy] === true)
  return hides && value !== null && value !== undefined ? REDACTED : value
}
