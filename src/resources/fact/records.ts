import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { judge, readDraft } from '../../kernel/input.ts'
import { createRecord } from '../../kernel/operations/create.ts'
import type { Draft, Registry, Resource, Sent } from '../../kernel/resource.ts'
import type { About, OperatingSystem } from './about.ts'

/**
 * Who uploads facts need not be allowed to write what they are about: the service does, and says itself where it belongs.
 * Audits name the caller.
 */
export function trusted(ctx: Context): Context {
  return { ...ctx, user: { ...ctx.user, admin: true }, scope: { organization: null, location: null, named: false } }
}

/** The resource of that name. */
export function resourceOf(registry: Registry, name: string): Resource {
  const found = registry.get(name)
  if (!found) throw new Error(`there is no resource named ${name}`)
  return found
}

/** Makes a record from what a request could send. {@throws Failure} invalid */
export async function make(ctx: Context, resource: Resource, sent: Sent): Promise<number> {
  const draft: Draft = await readDraft(ctx, resource, await judge(ctx, resource, sent), null)
  return createRecord(ctx, resource, draft)
}

/** Where the host lies: records that are made for it can be seen from there. */
export interface Place {
  readonly organization_id: number | null
  readonly location_id: number | null
}

/**
 * The keys of a host that facts decide, with what they refer to: operating systems, architectures, models, domains and
 * environments that nobody knew are made. A host that is managed here keeps its own address and domain, and environments
 * are taken from facts only for hosts that are new.
 */
export async function attributesFrom(
  ctx: Context,
  registry: Registry,
  about: About,
  host: { readonly name: string; readonly managed: boolean; readonly isNew: boolean },
  place: Place,
): Promise<Record<string, unknown>> {
  const found = (name: string, wanted: string | null, further: Sent = {}) =>
    wanted === null ? null : findOrMake(ctx, resourceOf(registry, name), wanted, further)
  const within = taxonomies(place)
  const lies = about.domain !== null && host.name.endsWith(`.${about.domain}`) ? about.domain : null
  const attributes = {
    architecture_id: await found('architecture', about.architecture),
    operatingsystem_id: about.operatingsystem && (await operatingsystem(ctx, registry, about)),
    model_id: await found('model', about.model),
    domain_id: host.isNew ? await found('domain', lies, within) : null,
    environment_id: host.isNew ? await found('environment', about.environment, within) : null,
    ...(!host.managed && { ip: about.ip, ip6: about.ip6, mac: about.mac }),
  }
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
}

async function findOrMake(ctx: Context, resource: Resource, name: string, further: Sent): Promise<number> {
  const known = await row<{ id: number }>(ctx.db, sql`select id from ${sql.table(resource.table)} where name = ${name}`)
  return known?.id ?? (await make(ctx, resource, { name, ...further }))
}

async function operatingsystem(ctx: Context, registry: Registry, { operatingsystem }: About): Promise<number | null> {
  if (!operatingsystem) return null
  const { name, major, minor }: OperatingSystem = operatingsystem
  const known = await row<{ id: number }>(
    ctx.db,
    sql`select id from operatingsystems where name = ${name} and major = ${major} and minor = ${minor}`,
  )
  return known?.id ?? (await make(ctx, resourceOf(registry, 'operatingsystem'), { ...operatingsystem }))
}

function taxonomies({ organization_id, location_id }: Place): Sent {
  return {
    organization_ids: organization_id === null ? [] : [organization_id],
    location_ids: location_id === null ? [] : [location_id],
  }
}
