import type { InjectOptions } from 'fastify'
import { listClientEndpoints } from '../../../src/areas/registration/client/endpoints.ts'
import { createGate } from '../../../src/areas/registration/gate.ts'
import { createHostRecords } from '../../../src/areas/registration/registration-command/host-records.ts'
import { row } from '../../../src/database/sql.ts'
import { sql } from '../../../src/sql.ts'
import { PLACE_FACTS } from '../../../src/words/protocols.ts'
import { clientBody, newKey, register, type Site, showing } from '../../registration/clients.ts'
import type { TestApi } from '../../support/api.ts'
import { declared } from '../../support/declared.ts'
import { unique } from '../../support/given.ts'
import type { Known, Question } from './questions.ts'

/** A machine of the tenant that has registered, and the key that others of the tenant have. */
export interface Machines {
  readonly site: Site
  readonly key: string
  readonly uuid: string
  readonly as: Record<string, string>
}

/** Registers a machine in the organization of the tenant. */
export async function newMachines(api: TestApi, organization: number): Promise<Machines> {
  const { db } = api.database
  const site = await row<Site>(
    db,
    sql`select o.id, o.label, l.environment_id as library, l.content_view_id as view
      from organizations o join content_views v on v.organization_id = o.id and v."default"
        join content_view_environments l on l.content_view_id = v.id where o.id = ${organization}`,
  )
  if (!site) throw new Error('the tenant has no Library')
  const key = 'keyofmachines'
  await newKey(api, site, key)
  const { body } = await register(api, site, key, clientBody('machine.example.test'))
  // What is heard of a machine is stored once a minute.
  await sql`update registrations set last_checkin = now() + interval '1 day' where uuid = ${body.uuid}`.execute(db)
  return { site, key, uuid: body.uuid, as: showing(body.idCert.cert) }
}

/** Lists what a machine may read with its certificate, but for answers that tell the time. */
export function questionsOfMachine({ site, uuid }: Machines): Question[] {
  const endpoints = listClientEndpoints(createHostRecords(declared.registry), '1', createGate(1))
  return endpoints
    .filter(({ method, path }) => method === 'GET' && !/(status|compliance)\/?$/.test(path))
    .map(({ path }) => ({
      ...{ route: `clients.${path}`, variation: 'certificate' },
      url: path.replace(':uuid', uuid).replace(':key', site.label),
    }))
}

/** Registers a new machine that names no place, and yields where it comes to be. */
export async function placeOfNewcomer(api: TestApi, { site, key }: Machines): Promise<unknown> {
  const name = `${unique('newcomer')}.example.test`
  const { status } = await register(api, site, key, clientBody(name))
  const { organization_id, location_id, domain_id } = (await api.admin.get(`/api/hosts/${name}`)).body
  return { status, organization_id, location_id, domain_id }
}

/** A request of a machine that names something of the other tenant, and an equal one that names what nobody has. */
export interface MachineAttempt {
  readonly about: string
  readonly foreign: string
  readonly unknown: string
  readonly ask: (named: string) => InjectOptions
}

/** Lists a request for each reference that a machine can make, by its key or by its certificate. */
export async function attemptsOfMachines(
  { database: { db } }: TestApi,
  { site, key, uuid, as }: Machines,
  { theirs }: Known,
): Promise<MachineAttempt[]> {
  const found = await row<Readonly<Record<'label' | 'title' | 'pair' | 'pool' | 'uuid' | 'content' | 'key', string>>>(
    db,
    sql`select o.label, (select title from locations where id = ${theirs.get('location')}) as title,
      (select v.id || '-' || l.environment_id from content_view_environments l join content_views v on v.id = l.content_view_id
        where v.organization_id = o.id order by v.id limit 1) as pair,
      (select cp_id from subscriptions where id = ${theirs.get('subscription')}) as pool,
      (select uuid::text from registrations where host_id = ${theirs.get('host')}) as uuid,
      (select label from contents where organization_id = o.id order by id limit 1) as content,
      (select name from activation_keys where id = ${theirs.get('activation_key')}) as key
      from organizations o where o.id = ${theirs.get('organization')}`,
  )
  const value = (name: keyof NonNullable<typeof found>) => found?.[name] ?? `the other tenant has no ${name}`
  const registering = (query: string, facts: object = {}): InjectOptions => ({
    ...{ method: 'POST', url: `/rhsm/consumers?${query}`, headers: { 'content-type': 'application/json' } },
    payload: JSON.stringify(clientBody(`${unique('attempt')}.example.test`, {}, facts)),
  })
  const inOrganization = `owner=${site.label}&activation_keys=${key}`
  const showed = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, body?: unknown): InjectOptions => ({
    ...{ method, url, headers: { 'content-type': 'application/json', ...as } },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  const consumer = `/rhsm/consumers/${uuid}`
  const nobody = { id: '990001', uuid: '7c9b3b3e-5f0a-4a52-9a55-0d6a2f6c0001' }
  const attempt = (about: string, foreign: string, unknown: string, ask: MachineAttempt['ask']) => ({
    ...{ about, foreign, unknown, ask },
  })
  const text = encodeURIComponent
  return [
    attempt('organization of a registration', value('label'), 'Nobody', (label) =>
      registering(`owner=${text(label)}&activation_keys=${key}`),
    ),
    attempt('key', value('key'), 'nokey', (name) => registering(`owner=${site.label}&activation_keys=${text(name)}`)),
    attempt('location', String(theirs.get('location')), nobody.id, (id) =>
      registering(`${inOrganization}&location_id=${id}`),
    ),
    ...['millwright_location', PLACE_FACTS.location].map((fact) =>
      attempt(`fact ${fact}`, value('title'), 'Nowhere', (title) => registering(inOrganization, { [fact]: title })),
    ),
    attempt('environments', value('pair'), `${nobody.id}-${nobody.id}`, (id) =>
      showed('PUT', consumer, { environments: [{ id }] }),
    ),
    attempt('pool to bind', value('pool'), nobody.uuid, (pool) =>
      showed('POST', `${consumer}/entitlements?pool=${pool}`),
    ),
    attempt('pool to release', value('pool'), nobody.uuid, (pool) =>
      showed('DELETE', `${consumer}/entitlements/${pool}`),
    ),
    attempt('consumer of pools', value('uuid'), nobody.uuid, (other) =>
      showed('GET', `/rhsm/owners/${site.label}/pools?consumer=${other}`),
    ),
    attempt('content of overrides', value('content'), 'nothing', (contentLabel) =>
      showed('DELETE', `${consumer}/content_overrides`, [{ contentLabel }]),
    ),
    attempt('organization', value('label'), 'Nobody', (label) => showed('GET', `/rhsm/owners/${text(label)}`)),
    ...(['GET', 'PUT', 'DELETE'] as const).map((method) =>
      attempt(`${method} consumer`, value('uuid'), nobody.uuid, (other) =>
        showed(method, `/rhsm/consumers/${other}`, method === 'GET' ? undefined : {}),
      ),
    ),
  ]
}
