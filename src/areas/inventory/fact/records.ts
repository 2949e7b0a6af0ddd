import type { Context } from '../../../context.ts'
import { isRace } from '../../../database/failures.ts'
import { row } from '../../../database/sql.ts'
import { Failure, formatFullMessages, invalid } from '../../../errors.ts'
import {
  createRecord,
  type Draft,
  findResource,
  joinConditions,
  limitToScope,
  lock,
  type Registry,
  type Resource,
  readDraft,
  type Sent,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { HostDescription } from './host-description.ts'
import type { OperatingSystem } from './operating-system.ts'

/** Creates a record from the keys of a request. {@throws Failure} invalid */
export async function createFromInput(ctx: Context, resource: Resource, sent: Sent): Promise<number> {
  const draft: Draft = await readDraft(ctx, resource, await validate(ctx, resource, sent), null)
  return createRecord(ctx, resource, draft)
}

/** The organization and location of the host, in which records created for it become visible. */
export interface HostPlaces {
  readonly organization_id: number | null
  readonly location_id: number | null
}

/** What is known of the host that facts describe. */
interface Described {
  readonly name: string
  readonly managed: boolean
  readonly isNew: boolean
  /** It was installed with its system, which facts do not change. */
  readonly keepsSystem: boolean
  /** Keys that were refused before. */
  readonly dropped: ReadonlySet<string>
}

/**
 * Resolves the keys of a host from facts. Unknown operating systems, architectures, models, domains and environments
 * are created. A managed host keeps its address and domain, and its system unless a setting says otherwise; environments are set
 * for new hosts only.
 */
export async function resolveHostAttributes(
  ctx: Context,
  registry: Registry,
  about: HostDescription,
  host: Described,
  place: HostPlaces,
): Promise<Record<string, unknown>> {
  // All are looked up by one message; what is missing is made then.
  const findRecord = (name: string, wanted: string | null, further: Sent = {}) =>
    wanted === null || host.dropped.has(`${name}_id`)
      ? async () => null
      : findOrMake(ctx, findResource(registry, name), wanted, further)
  const within = buildPlaces(place)
  const lies = about.domain !== null && host.name.endsWith(`.${about.domain}`) ? about.domain : null
  const architecture = findRecord('architecture', about.architecture)
  const told = host.keepsSystem || host.dropped.has('operatingsystem_id') ? null : about.operatingsystem
  const system = told && findOperatingsystem(ctx, registry, told, about.architecture)
  const model = findRecord('model', about.model)
  const domain = findRecord('domain', host.isNew ? lies : null, within)
  const environment = findRecord('environment', host.isNew ? about.environment : null, within)
  const architecture_id = await architecture()
  const attributes = {
    architecture_id,
    operatingsystem_id: system && (await system(architecture_id)),
    model_id: await model(),
    domain_id: await domain(),
    environment_id: await environment(),
    ...(!host.managed && { ip: about.ip, ip6: about.ip6, mac: about.mac }),
  }
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
}

/** Looks a record up with the next statement; yields a function that makes it where there is none, and yields its id. */
function findOrMake(ctx: Context, resource: Resource, name: string, further: Sent): () => Promise<number> {
  const finding = ctx.db.enqueue<{ id: number }>(sql`select id from ${sql.table(resource.table)} where name = ${name}`)
  return async () => (await finding())[0]?.id ?? makeTold(ctx, resource, { name, ...further })
}

/**
 * Creates a record that facts tell of. {@throws Failure} invalid, naming the key of the host that refers to it: facts are then
 * taken without that key
 */
async function makeTold(ctx: Context, resource: Resource, sent: Sent): Promise<number> {
  try {
    return await createFromInput(ctx, resource, sent)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid' || isRace(error)) throw error
    throw invalid({ [`${resource.name}_id`]: formatFullMessages(error.details.errors ?? {}) })
  }
}

/**
 * Looks an operating system up with the next statement; yields a function that makes it where there is none, links it to the
 * host's architecture, and yields its id. One that is printed alike is used: `Ubuntu 22` with minor `04` may have been made
 * before, and titles are unique.
 */
function findOperatingsystem(
  ctx: Context,
  registry: Registry,
  system: OperatingSystem,
  architecture: string | null,
): (architectureId: number | null) => Promise<number> {
  const { name, major, minor, description } = system
  const resource = findResource(registry, 'operatingsystem')
  const printed = `${name} ${major}${minor === '' ? '' : `.${minor}`}`
  const statement = sql`
    select id, exists (select from architecture_operatingsystems l join architectures a on a.id = l.architecture_id
      where l.operatingsystem_id = o.id and a.name = ${architecture}::text) as linked
    from operatingsystems o
    where (name, major, minor) = (${name}, ${major}, ${minor}) or title in (${description ?? printed}, ${printed})
      or (name = ${name} and concat_ws('.', major, nullif(minor, '')) = ${printed.slice(name.length + 1)})
    order by (name, major, minor) = (${name}, ${major}, ${minor}) desc, name = ${name} desc, title = ${printed} desc, id limit 1`
  const finding = ctx.db.enqueue<{ id: number; linked: boolean }>(statement)
  return async (architectureId) => {
    const further = architectureId === null ? {} : { architecture_ids: [architectureId] }
    const [known] = await finding()
    if (!known) return makeTold(ctx, resource, { ...system, ...further }).catch(useOther)
    if (!known.linked && architectureId !== null) await linkArchitecture(ctx, resource, known.id, architectureId)
    return known.id
  }

  /** Uses what another request has made since then. */
  async function useOther(error: unknown): Promise<number> {
    const made = isRace(error) ? undefined : await row<{ id: number }>(ctx.db, statement)
    if (made) return made.id
    throw error
  }
}

async function linkArchitecture(ctx: Context, resource: Resource, id: number, architecture: number): Promise<void> {
  const stored = await lock(ctx, resource, id)
  const others = Array.isArray(stored.architectures) ? stored.architectures : []
  await updateStored(ctx, resource, stored, { architectures: [...others, architecture] })
}

/** Finds the default environment of new hosts without one in their facts, if it is available where the host is. */
export async function findDefaultEnvironment(
  ctx: Context,
  hosts: Resource,
  { organization_id, location_id }: HostPlaces,
): Promise<number | null> {
  const name = ctx.settings.default_config_environment
  if (name === '') return null
  const at = { ...ctx, scope: { organization: organization_id, location: location_id, named: false } }
  const environments = findResource(hosts.registry, 'environment')
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select t.id from environments t where t.name = ${name} and ${joinConditions(limitToScope(at, environments))}`,
  )
  return found?.id ?? null
}

function buildPlaces({ organization_id, location_id }: HostPlaces): Sent {
  return {
    organization_ids: organization_id === null ? [] : [organization_id],
    location_ids: location_id === null ? [] : [location_id],
  }
}
