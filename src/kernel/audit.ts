import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { type AuditCause, type AuditEntry, insertAudits } from '../database/audits.ts'
import type { Sql } from '../database/sql.ts'
import type { Placed, Resource } from './definition.ts'
import { auditKeyOf, listLinks, storedOf } from './placed.ts'
import type { Stored } from './record.ts'
import { hasOwnColumn, linkTableOf, TAXONOMIES, type Taxonomy, taxonomiesOf } from './scope.ts'

const REDACTED = '[redacted]'

/**
 * Records who changed which fields, in the transaction of the change (core-api §10). `changes` holds the values on create
 * and destroy, and pairs of old and new values on update; secrets in it are masked already.
 */
export async function recordAudit(
  ctx: Context,
  resource: Resource,
  action: AuditEntry['action'],
  record: { readonly id: number; readonly label: string | null },
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!resource.audited) return
  const entry = { action, type: resource.type, id: record.id, name: record.label, changes }
  const [organizations, locations] = TAXONOMIES.map((taxonomy) => placesOfAudit(resource, taxonomy))
  await insertAudits(ctx.db, causeOf(ctx), [entry], { organizations, locations })
}

/** Selects the organizations or locations that see an audit: those of the record and its owners (core-api §10.2). */
function placesOfAudit(resource: Resource, taxonomy: Taxonomy): Sql | undefined {
  const places = [{ resource, id: AUDITED }, ...ownersOf(resource)].flatMap((one) => placesOf(one, taxonomy))
  return places.length === 0 ? undefined : sql.join(places, sql` union `)
}

const AUDITED = sql`written.auditable_id`

interface Placeable {
  readonly resource: Resource
  readonly id: Sql
}

/** Lists the records that decide where a record is visible: those that it is part of, nested below or seen with. */
function ownersOf(resource: Resource): Placeable[] {
  const { table, partOf, nestedOnly, parents, seenWith = [] } = resource
  const names = partOf ? [partOf] : nestedOnly ? Object.values(parents) : []
  return listLinks(resource, [...new Set([...names, ...seenWith])]).map(({ target, column }) => ({
    resource: target,
    id: sql`(select ${sql.ref(`t.${column}`)} from ${sql.table(table)} t where t.id = ${AUDITED})`,
  }))
}

/** Builds the statements that select the ids of a record's organizations or locations; none for resources without these. */
function placesOf({ resource, id }: Placeable, taxonomy: Taxonomy): Sql[] {
  const { kind, plural } = taxonomy
  if (resource.name === kind) return [sql`select x.id from ${sql.table(plural)} x where x.id = ${id}`]
  if (!taxonomiesOf(resource).includes(taxonomy)) return []
  if (hasOwnColumn(resource)) {
    const own = sql.ref(`x.${kind}_id`)
    return [sql`select ${own} as id from ${sql.table(resource.table)} x where x.id = ${id} and ${own} is not null`]
  }
  const link = linkTableOf(resource, taxonomy)
  return [
    sql`select ${sql.ref(`l.${kind}_id`)} as id from ${sql.table(link.table)} l where ${sql.ref(`l.${link.own}`)} = ${id}`,
  ]
}

/** Yields the values of a record that is new or about to be deleted, by their names in audits; secrets are masked. */
export function readAuditedValues(resource: Resource, stored: Stored): Record<string, unknown> {
  const mask = (placed: Placed) => maskValue(placed, storedOf(placed, stored), stored)
  return Object.fromEntries(selectAudited(resource).map((placed) => [auditKeyOf(placed), mask(placed)]))
}

/** Yields pairs of the old and the new value of each field in `changed`, by their names in audits; secrets are masked. */
export function compareAuditedValues(
  resource: Resource,
  stored: Stored,
  changed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const touched = selectAudited(resource).filter(({ name }) => name in changed)
  const mask = (placed: Placed, value: unknown) => maskValue(placed, value, stored, changed)
  const pairOf = (placed: Placed) => [mask(placed, storedOf(placed, stored)), mask(placed, changed[placed.name])]
  return Object.fromEntries(touched.map((placed) => [auditKeyOf(placed), pairOf(placed)]))
}

function selectAudited(resource: Resource): Placed[] {
  return resource.placed.filter(({ column, elsewhere }) => column || elsewhere)
}

/** Masks secrets, and values that the record hides or hid before: showing one again must not reveal the earlier one. */
function maskValue(
  { field }: Placed,
  value: unknown,
  ...states: readonly Readonly<Record<string, unknown>>[]
): unknown {
  const hides =
    field.secret !== undefined || states.some((state) => field.maskedBy !== undefined && state[field.maskedBy] === true)
  return hides && value !== null && value !== undefined ? REDACTED : value
}

/** Yields what an audit names as the cause of a change: the user, and the address and id of the request. */
export function causeOf({ user, origin }: Pick<Context, 'user' | 'origin'>): AuditCause {
  return { userId: user.id, userName: user.name, address: origin.address, requestId: origin.requestId }
}
