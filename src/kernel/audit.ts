import type { Context } from '../context.ts'
import { type AuditCause, type AuditEntry, insertAudits } from '../database/audits.ts'
import { finishFragment, type Sql } from '../database/sql.ts'
import { rememberPairs } from '../lib/lazy.ts'
import { sql } from '../sql.ts'
import type { BoundField, Resource } from './definition.ts'
import type { Stored } from './record.ts'
import { listLinks } from './resources.ts'
import { hasOwnColumn, linkTableOf, TAXONOMIES, type Taxonomy, taxonomiesOf } from './scope.ts'

const REDACTED = '[redacted]'

/** Audits a change: values on create and destroy, on update pairs of old and new ones, with masked secrets. */
export async function recordAudit(
  ctx: Context,
  resource: Resource,
  action: AuditEntry['action'],
  record: { readonly id: number; readonly label: string | null; readonly comment?: string | null },
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!resource.audited) return
  const entry = { action, type: resource.type, id: record.id, name: record.label, changes, comment: record.comment }
  const [organizations, locations] = TAXONOMIES.map((taxonomy) => placesOfAudit(resource, taxonomy))
  await insertAudits(ctx.db, causeOf(ctx), [entry], { organizations, locations })
}

const AUDITED = sql`written.auditable_id`

/** Selects the organizations or locations that see an audit: those of the record and its owners (core-api §10.2). */
const placesOfAudit = rememberPairs((resource: Resource, taxonomy: Taxonomy): Sql | undefined => {
  const places = [{ resource, id: AUDITED }, ...ownersOf(resource)].flatMap((one) => placesOf(one, taxonomy))
  return places.length === 0 ? undefined : finishFragment(sql.join(places, sql` union `))
})

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
  const values: Record<string, unknown> = {}
  for (const placed of resource.stored) values[placed.auditKey] = maskValue(placed, stored[placed.key], stored)
  return values
}

/** Yields pairs of the old and the new value of each field in `changed`, by their names in audits; secrets are masked. */
export function compareAuditedValues(
  resource: Resource,
  stored: Stored,
  changed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const pairs: Record<string, unknown> = {}
  for (const placed of resource.stored) {
    if (!(placed.name in changed)) continue
    const pair = [stored[placed.key], changed[placed.name]]
    pairs[placed.auditKey] = pair.map((value) => maskValue(placed, value, stored, changed))
  }
  return pairs
}

/** Masks secrets, and values that the record hides or hid before: showing one again must not reveal the earlier one. */
function maskValue(
  { field: { secret, maskedBy } }: BoundField,
  value: unknown,
  ...states: readonly Readonly<Record<string, unknown>>[]
): unknown {
  const hides = secret !== undefined || (maskedBy !== undefined && states.some((state) => state[maskedBy] === true))
  return hides && value !== null && value !== undefined ? REDACTED : value
}

/** Yields what an audit names as the cause of a change: the user, and the address and id of the request. */
export function causeOf({ user, origin }: Pick<Context, 'user' | 'origin'>): AuditCause {
  return { userId: user.id, userName: user.name, address: origin.address, requestId: origin.requestId }
}
