import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
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
import type { HostDescription, OperatingSystem } from './host-description.ts'

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

/**
 * Resolves the keys of a host from facts. Unknown operating systems, architectures, models, domains and environments
 * are created. A managed host keeps its address and domain; environments are set for new hosts only.
 */
export async function resolveHostAttributes(
  ctx: Context,
  registry: Registry,
  about: HostDescription,
  host: { readonly name: string; readonly managed: boolean; readonly isNew: boolean },
  place: HostPlaces,
): Promise<Record<string, unknown>> {
  // All are looked up by one message; what is missing is made then.
  const findRecord = (name: string, wanted: string | null, further: Sent = {}) =>
    wanted === null ? async () => null : findOrMake(ctx, findResource(registry, name), wanted, further)
  const within = buildPlaces(place)
  const lies = about.domain !== null && host.name.endsWith(`.${about.domain}`) ? about.domain : null
  const architecture = findRecord('architecture', about.architecture)
  const system = about.operatingsystem && findOperatingsystem(ctx, registry, about.operatingsystem, about.architecture)
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
  const finding = ctx.db.sendWithNext<{ id: number }>(
    sql`select id from ${sql.table(resource.table)} where name = ${name}`,
  )
  return async () => (await finding())[0]?.id ?? createFromInput(ctx, resource, { name, ...further })
}

/**
 * Looks an operating system up with the next statement; yields a function that makes it where there is none, links it to the
 * host's architecture, and yields its id.
 */
function findOperatingsystem(
  ctx: Context,
  registry: Registry,
  system: OperatingSystem,
  architecture: string | null,
): (architectureId: number | null) => Promise<number> {
  const { name, major, minor } = system
  const resource = findResource(registry, 'operatingsystem')
  const finding = ctx.db.sendWithNext<{
    id: number
    linked: boolean
  }>(sql`select id, exists (select from architecture_operatingsystems l join architectures a on a.id = l.architecture_id
        where l.operatingsystem_id = o.id and a.name = ${architecture}::text) as linked
      from operatingsystems o where name = ${name} and major = ${major} and minor = ${minor}`)
  return async (architectureId) => {
    const [known] = await finding()
    if (!known)
      return createFromInput(ctx, resource, {
        ...system,
        ...(architectureId !== null && { architecture_ids: [architectureId] }),
      })
    if (!known.linked && architectureId !== null) await linkArchitecture(ctx, resource, known.id, architectureId)
    return known.id
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
