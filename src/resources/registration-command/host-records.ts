import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { Failure, fullMessages, invalid } from '../../errors.ts'
import { audit, everyValue } from '../../kernel/audit.ts'
import { holds, visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import { withFieldErrors } from '../../kernel/constraints.ts'
import { judge, readDraft } from '../../kernel/input.ts'
import { insist, lock } from '../../kernel/operations/change.ts'
import { removeStored } from '../../kernel/operations/delete.ts'
import { updateStored } from '../../kernel/operations/update.ts'
import type { Registry, Resource, Stored } from '../../kernel/resource.ts'
import type { HostFacts, HostRecords, NewHost } from '../../registration/hosts.ts'
import { flattenFacts } from '../fact/flatten.ts'
import { resourceOf, trusted } from '../fact/records.ts'
import { storeFacts, storeFirstFacts } from '../fact/store.ts'
import { fullName, HOST_NAME, NOT_HOST_NAME } from '../host/naming.ts'

/** What registrations ask of hosts, done by what hosts are declared as. */
export function hostRecords(registry: Registry): HostRecords {
  const hosts = resourceOf(registry, 'host')
  return {
    resource: hosts,
    readFacts,
    storeFacts: (tx, host, facts) => storeFacts(tx, host, facts, 'client'),
    storeFirstFacts,
    create: (tx, host) => createHost(tx, hosts, host),
    change: async (tx, id, { name, organization }) => {
      const as = trusted(tx)
      const stored = await lock(as, hosts, id)
      const sent = { ...(name !== undefined && { name }), ...(organization && { organization_id: organization }) }
      await updateStored(as, hosts, stored, await readDraft(as, hosts, await judge(as, hosts, sent), stored))
    },
    remove: async (tx, id) => removeStored(trusted(tx), hosts, await lock(tx, hosts, id)),
    insistOnCreate: (tx, id) => insist(tx, hosts, 'create', id),
    insistOnEdit: (tx, id) => insistOnEdit(tx, hosts, id),
    audit: async (tx, id, changes) => {
      const found = await row<{ name: string }>(tx.db, sql`select name from hosts where id = ${id}`)
      await audit(tx, hosts, 'update', { id, label: found?.name ?? null }, changes)
    },
  }
}

async function insistOnEdit(tx: Context, hosts: Resource, id: number): Promise<void> {
  const editable = holds(tx, 'edit_hosts') ? where(visible(tx, hosts, 'edit_hosts')) : sql`false`
  if (await row(tx.db, sql`select t.id from hosts t where t.id = ${id} and ${editable}`)) return
  throw invalid({ name: ['is that of a host which you may not edit'] })
}

/** Clients have dots between the parts of names. */
function readFacts(sent: Readonly<Record<string, unknown>>): HostFacts {
  try {
    return flattenFacts(
      Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.replaceAll('.', '::'), value])),
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure('malformed', fullMessages(error.details.errors ?? {}).join(', '), {}, { cause: error })
  }
}

/**
 * A host that belongs to nobody's group and is not managed: the rows and audits that `createRecord` would make of it, in
 * fewer statements, because whole sites register at once.
 */
async function createHost(tx: Context, hosts: Resource, host: NewHost): Promise<number> {
  if (!HOST_NAME.test(host.name)) throw invalid({ name: [NOT_HOST_NAME] })
  const { organization, location } = host
  const naming = await fullName(tx, host.name, null, null, { organization, location: location ?? undefined })
  const made = await withFieldErrors(hosts, null, () =>
    row<{ host: Stored; card: Stored }>(
      tx.db,
      sql`
        with made as (
          insert into hosts (name, organization_id, location_id, owner_user_id, managed)
          values (${naming.name}, ${organization}, ${location}, ${host.owner}, false) returning *
        ), card as (
          insert into interfaces (host_id, name, "primary", provision, domain_id)
          select id, name, true, true, ${naming.domain}::bigint from made returning *
        )
        select to_jsonb(made) as host, to_jsonb(card) as card from made, card`,
    ),
  )
  if (!made) throw new Error('inserting a host returned nothing')
  const interfaces = resourceOf(hosts.registry, 'interface')
  await auditNew(tx, host, [entryOf(hosts, made.host, host.audited), entryOf(interfaces, made.card, {})])
  return made.host.id
}

interface Entry {
  readonly type: string
  readonly id: number
  readonly name: string
  readonly changes: Readonly<Record<string, unknown>>
}

function entryOf(resource: Resource, stored: Stored, also: Readonly<Record<string, unknown>>): Entry {
  const outside = resource.placed.filter(({ elsewhere }) => elsewhere).map(({ name }) => [name, []])
  const whole = { ...Object.fromEntries(outside), ...stored }
  return {
    type: resource.type,
    id: stored.id,
    name: String(stored.name),
    changes: { ...everyValue(resource, whole), ...also },
  }
}

/** The audits of a new host and what is part of it, as `audit` would write them one by one (core-api §10). */
async function auditNew(tx: Context, { organization, location }: NewHost, entries: readonly Entry[]): Promise<void> {
  await sql`
    with written as (
      insert into audits (user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid)
      select nullif(${tx.user.id}::bigint, 0), ${tx.user.name}::text, 'create', e.type, e.id, e.name, e.changes, 1,
        ${tx.origin.address}::inet, ${tx.origin.requestId}::text
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (type text, id bigint, name text, changes jsonb)
      returning id
    ), in_organization as (
      insert into audit_organizations (audit_id, organization_id) select id, ${organization}::bigint from written
    ), in_location as (
      insert into audit_locations (audit_id, location_id)
      select id, ${location}::bigint from written where ${location}::bigint is not null
    )
    select count(*) from written`.execute(tx.db)
}
