import { printJson } from '../../src/classification/json.ts'
import { sql } from '../../src/sql.ts'
import type { TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { fromNotation, type Notation } from './recorded.ts'

/** A recorded classification: a host, the parameters on every level, and what the host gets to know. */
export interface RecordedNode {
  readonly id: string
  readonly tags: readonly string[]
  readonly host: {
    readonly fqdn: string
    readonly hostgroup: string | null
    readonly organization: string | null
    readonly location: string | null
    readonly os: object | null
    readonly domain: string | null
    readonly domain_fullname: string | null
    readonly environment: string | null
    readonly comment: string | null
    readonly realm: string | null
    readonly owner: object | null
    readonly subnet: object | null
    readonly subnet6: object | null
  }
  readonly settings: { readonly interpolate_erb_in_parameters?: boolean }
  readonly parameters: readonly {
    readonly level: string
    readonly object?: string
    readonly name: string
    readonly type: string
    readonly value: Notation
    readonly refused?: readonly string[]
  }[]
  readonly outcome: {
    readonly output_parameters?: readonly (readonly [string, Notation])[]
    readonly environment?: string | null
    readonly error?: { readonly kind: string }
  }
  readonly outcome_later?: RecordedNode['outcome']
}

/** Everything that recorded hosts can lie in. */
export interface RecordedWorld {
  readonly ids: ReadonlyMap<string, number>
  readonly host: Shown
}

/** Makes it, and the host. */
export async function recordedWorld({ admin }: TestApi): Promise<RecordedWorld> {
  const ids = new Map<string, number>()
  const note = (name: string, { id }: Shown) => {
    ids.set(name, id)
    return id
  }
  const tree = async (kind: string, titles: readonly string[]) => {
    for (const title of titles) {
      const parent = title.includes('/') ? title.slice(0, title.lastIndexOf('/')) : null
      const body = { name: title.slice(title.lastIndexOf('/') + 1), parent_id: ids.get(`${kind} ${parent}`) ?? null }
      note(`${kind} ${title}`, await given(admin, kind, body))
    }
  }
  await tree('organization', ['Acme', 'Acme/Ops', 'Acme/Dev'])
  await tree('location', ['EU', 'EU/Ams', 'US'])
  await tree('hostgroup', ['Base', 'Base/Web', 'Base/Web/Edge', 'Base/Db'])
  note('os', await given(admin, 'operatingsystem', { name: 'Debian', major: '12', minor: '4' }))
  note('domain', await given(admin, 'domain', { name: 'lab.test' }))
  note('environment', await given(admin, 'environment', { name: 'production' }))
  note('realm', await given(admin, 'realm', { name: 'R.TEST', realm_type: 'x' }))
  note('subnet', await given(admin, 'subnet', { name: 'lan 10', network: '10.0.0.0', mask: '255.255.255.0' }))
  note(
    'subnet6',
    await given(admin, 'subnet', {
      ...{ name: 'lan6', network_type: 'IPv6', network: '2001:db8::', mask: 'ffff:ffff:ffff:ffff::' },
    }),
  )
  note('owner', await given(admin, 'user', { login: 'ada', firstname: 'Ada', lastname: 'Byte', mail: 'ada@lab.test' }))
  return { ids, host: await given(admin, 'host', { name: 'n1.lab.test' }) }
}

/** Puts the host where it was recorded, and the settings as they were. */
export async function place({ database }: TestApi, world: RecordedWorld, recorded: RecordedNode): Promise<void> {
  const { ids, host } = world
  const at = (name: string, is: unknown) => (is === null ? null : ids.get(name))
  const to = recorded.host
  const { interpolate_erb_in_parameters: templates = true } = recorded.settings
  await sql`update hosts set comment = ${to.comment}, root_pass = '$5$fix$fixed',
      hostgroup_id = ${at(`hostgroup ${to.hostgroup}`, to.hostgroup)}::bigint, environment_id = ${at('environment', to.environment)}::bigint,
      organization_id = ${at(`organization ${to.organization}`, to.organization)}::bigint,
      location_id = ${at(`location ${to.location}`, to.location)}::bigint, realm_id = ${at('realm', to.realm)}::bigint,
      operatingsystem_id = ${at('os', to.os)}::bigint, owner_user_id = ${at('owner', to.owner)}::bigint where id = ${host.id}`.execute(
    database.db,
  )
  await sql`update interfaces set ip = '10.0.0.5', mac = '52:54:00:aa:bb:cc', domain_id = ${at('domain', to.domain)}::bigint,
      subnet_id = ${at('subnet', to.subnet)}::bigint, subnet6_id = ${at('subnet6', to.subnet6)}::bigint where host_id = ${host.id}`.execute(
    database.db,
  )
  await sql`update domains set fullname = ${to.domain_fullname}`.execute(database.db)
  await sql`update settings set value = ${String(templates)}::jsonb where name = 'interpolate_erb_in_parameters'`.execute(
    database.db,
  )
}

const COLUMNS: Readonly<Record<string, string>> = {
  os: 'operatingsystem_id',
  subnet6: 'subnet_id',
}

/** Stores the recorded parameters, which were not refused; those of others are gone. */
export async function store({ database: { db } }: TestApi, world: RecordedWorld, { parameters }: RecordedNode) {
  const { ids, host } = world
  const taken = parameters.filter(({ refused }) => !refused?.length)
  const stored = taken.map(({ level, object, name, type, value }) => {
    const owner = level === 'host' ? host.id : ids.get(object ? `${level} ${object}` : level)
    const facts = {
      name: name.trim().replaceAll('<p>', 'millwright'),
      type,
      column: COLUMNS[level] ?? `${level}_id`,
      owner,
    }
    return `${JSON.stringify(facts).slice(0, -1)},"value":${printJson(fromNotation(value))}}`
  })
  const column = (name: string) => sql`case p."column" when ${sql.lit(name)} then p.owner end`
  await sql`delete from parameters`.execute(db)
  await sql`insert into parameters (name, parameter_type, value, organization_id, location_id, domain_id, subnet_id,
      operatingsystem_id, hostgroup_id, host_id)
    select p.name, p.type, p.value, ${sql.join(OWNERS.map(column))}
    from jsonb_to_recordset(${`[${stored.join()}]`}::jsonb) as p (name text, type text, value jsonb, "column" text, owner bigint)`.execute(
    db,
  )
}

const OWNERS = [
  'organization_id',
  'location_id',
  'domain_id',
  'subnet_id',
  'operatingsystem_id',
  'hostgroup_id',
  'host_id',
]
