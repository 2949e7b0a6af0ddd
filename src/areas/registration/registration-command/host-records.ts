import { asTrustedService, type Context, hasPermission } from '../../../context.ts'
import { type AuditEntry, insertAudits } from '../../../database/audits.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import {
  assertWritable,
  causeOf,
  findResource,
  joinConditions,
  limitToVisible,
  lock,
  type Registry,
  type Resource,
  readAuditedValues,
  readDraft,
  recordAudit,
  removeStored,
  type Stored,
  updateStored,
  validate,
  withFieldErrors,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { removeAbandonedOverrides } from '../../configuration/index.ts'
import {
  flattenFacts,
  HOST_NAME,
  NOT_HOST_NAME,
  primaryOf,
  type ReportedInterface,
  readClientAddress,
  readInterfaces,
  resolveFullName,
  storeFacts,
  storeFirstFacts,
  storeInterfaces,
} from '../../inventory/index.ts'
import type { HostFacts, HostRecords, NewHost } from '../hosts.ts'

/** Implements what registrations need of host records, with the resources of hosts, facts and interfaces. */
export function createHostRecords(registry: Registry): HostRecords {
  const hosts = findResource(registry, 'host')
  return {
    resource: hosts,
    readFacts,
    storeFacts: async (tx, host, facts) => {
      await storeFacts(tx, host, facts, 'client')
      const told = readInterfaces(tx.settings, facts)
      await storeInterfaces(asTrustedService(tx), hosts, host, told, readClientAddress(facts))
    },
    storeFirstFacts,
    create: (tx, host) => createHost(tx, hosts, host),
    change: async (tx, id, { organization }) => {
      const as = asTrustedService(tx)
      const stored = await lock(as, hosts, id)
      const sent = { ...(organization && { organization_id: organization }) }
      await updateStored(as, hosts, stored, await readDraft(as, hosts, await validate(as, hosts, sent), stored))
    },
    remove: async (tx, id) => removeStored(asTrustedService(tx), hosts, await lock(tx, hosts, id)),
    assertCreatable: (tx, id) => assertWritable(tx, hosts, 'create', id),
    assertEditable: (tx, id) => requireEdit(tx, hosts, id),
    audit: async (tx, id, changes) => {
      const found = await row<{ name: string }>(tx.db, sql`select name from hosts where id = ${id}`)
      await recordAudit(tx, hosts, 'update', { id, label: found?.name ?? null }, changes)
    },
  }
}

async function requireEdit(tx: Context, hosts: Resource, id: number): Promise<void> {
  const editable = hasPermission(tx, 'edit_hosts')
    ? joinConditions(limitToVisible(tx, hosts, 'edit_hosts'))
    : sql`false`
  if (await row(tx.db, sql`select t.id from hosts t where t.id = ${id} and ${editable}`)) return
  throw invalid({ name: ['is that of a host which you may not edit'] })
}

/** Reads facts; clients separate the parts of names by dots. What cannot be kept is left out. */
function readFacts(sent: Readonly<Record<string, unknown>>): HostFacts {
  const named = Object.entries(sent).map(([name, value]) => [name.replaceAll('.', '::'), value])
  return flattenFacts(Object.fromEntries(named), () => undefined)
}

/**
 * Creates an unmanaged host without a group: with the rows and audits of `createRecord`, but in fewer statements,
 * because whole sites register at once.
 */
async function createHost(tx: Context, hosts: Resource, host: NewHost): Promise<number> {
  if (!HOST_NAME.test(host.name)) throw invalid({ name: [NOT_HOST_NAME] })
  const { organization, location } = host
  const naming = await resolveFullName(tx, host.name, null, null, { organization, location: location ?? undefined })
  await removeAbandonedOverrides(tx, hosts.registry, 'host', naming.name)
  const made = await withFieldErrors(hosts, null, () =>
    row<{ host: Stored; cards: readonly Stored[] }>(
      tx.db,
      sql`
        with made as (
          insert into hosts (name, organization_id, location_id, owner_user_id, managed)
          values (${naming.name}, ${organization}, ${location}, ${host.owner}, false) returning *
        ), card as (
          insert into interfaces (host_id, name, "primary", provision, managed, domain_id, type, identifier, mac, ip, ip6, virtual,
            tag, attached_to)
          select made.id, case when t."primary" then made.name end, t."primary", t."primary", t."primary",
            case when t."primary" then ${naming.domain}::bigint end, t.type, t.identifier, t.mac, t.ip, t.ip6, t.virtual, t.tag,
            t.attached_to
          from made cross join jsonb_to_recordset(${JSON.stringify(interfacesOf(tx, host.facts))}::jsonb) as t ("primary" boolean,
            type text, identifier text, mac text, ip inet, ip6 inet, virtual boolean, tag text, attached_to text)
          returning *
        )
        select to_jsonb(made) as host, (select jsonb_agg(to_jsonb(card) order by card.id) from card) as cards from made`,
    ),
  )
  if (!made) throw new Error('inserting a host returned nothing')
  const interfaces = findResource(hosts.registry, 'interface')
  const entries = [entryOf(hosts, made.host, host.audited), ...made.cards.map((card) => entryOf(interfaces, card, {}))]
  await insertAudits(tx.db, causeOf(tx), entries, {
    organizations: sql`select ${host.organization}::bigint`,
    ...(host.location !== null && { locations: sql`select ${host.location}::bigint` }),
  })
  return made.host.id
}

/** The interfaces of facts, the primary one first; without any a primary one is made up. */
function interfacesOf(tx: Context, facts: HostFacts): (Partial<ReportedInterface> & { readonly primary: boolean })[] {
  const told = readInterfaces(tx.settings, facts)
  const primary = primaryOf(told, readClientAddress(facts))
  const others = told.all.filter((one) => one !== primary)
  return [
    { type: 'interface', virtual: false, ...primary, primary: true },
    ...others.map((one) => ({ ...one, primary: false })),
  ]
}

function entryOf(resource: Resource, stored: Stored, also: Readonly<Record<string, unknown>>): AuditEntry {
  const outside = resource.elsewhere.map(({ name }) => [name, []])
  const whole = { ...Object.fromEntries(outside), ...stored }
  return {
    action: 'create',
    type: resource.type,
    id: stored.id,
    name: stored.name === null ? null : String(stored.name),
    changes: { ...readAuditedValues(resource, whole), ...also },
  }
}
