import { X509Certificate } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type Condition, joinConditions } from '../../../kernel/index.ts'
import { selectZonedMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { BACKDATED_MS } from '../authority/authority.ts'
import type { RecordName, RegistrationOwner, SubscriptionAttributes } from '../key.ts'
import { VIEW_ENVIRONMENT_LABEL } from '../labels.ts'
import type { Guest, InstalledProduct } from '../registration-request.ts'
import { uncovered } from './uncovered.ts'

/** A registered host as clients know it. */
export interface Consumer extends SubscriptionAttributes {
  readonly host: number
  readonly name: string
  readonly uuid: string
  readonly serial: string
  readonly certificate: string
  /** The previous certificate while it is still valid. */
  readonly former: string | null
  readonly expires_at: string
  readonly autoheal: boolean
  readonly facts: Readonly<Record<string, unknown>>
  readonly installed_products: readonly InstalledProduct[]
  readonly guest_ids: readonly Guest[]
  readonly registered_at: string
  readonly updated_at: string
  readonly last_checkin: string | null
  readonly owner: Pick<RegistrationOwner, 'id' | 'name' | 'label' | 'content_access_mode' | 'service_level'>
  readonly environments: readonly { readonly id: string; readonly name: string; readonly description: string | null }[]
  readonly keys: readonly RecordName[]
  readonly entitlements: number
  /** Ids of its products that no subscription covers. */
  readonly uncovered: readonly string[]
  readonly expired: boolean
  /** Whether it was heard of within the last minute. */
  readonly fresh: boolean
}

/** Loads the registered host with this UUID, in one statement; the conditions limit what a caller may see. */
export async function loadConsumer(
  ctx: Context,
  uuid: string,
  conditions: readonly Condition[] = [],
): Promise<Consumer | undefined> {
  return row<Consumer>(
    ctx.db,
    sql`
      select t.id as host, t.name, r.uuid, r.serial, r.certificate, ${selectZonedMoment('r.expires_at')} as expires_at,
        r.service_level, r.release_version, r.purpose_usage, r.purpose_role, r.purpose_addons, r.autoheal, r.facts, r.installed_products, r.guest_ids,
        case when r.former_until > now() then r.former_certificate end as former,
        ${selectZonedMoment('r.registered_at')} as registered_at, ${selectZonedMoment('r.updated_at')} as updated_at, ${selectZonedMoment('r.last_checkin')} as last_checkin,
        r.expires_at <= now() as expired, coalesce(r.last_checkin > now() - interval '1 minute', false) as fresh,
        json_build_object('id', o.id, 'name', o.name, 'label', o.label, 'content_access_mode', o.content_access_mode,
          'service_level', o.service_level) as owner,
        coalesce((
          select json_agg(json_build_object('id', v.id || '-' || e.id,
            'name', ${VIEW_ENVIRONMENT_LABEL}, 'description', v.description) order by l.position)
          from host_environments l join content_views v on v.id = l.content_view_id
            join lifecycle_environments e on e.id = l.environment_id
          where l.host_id = t.id
        ), '[]') as environments,
        coalesce((
          select json_agg(json_build_object('id', k.id, 'name', k.name) order by l.position)
          from activation_key_hosts l join activation_keys k on k.id = l.activation_key_id where l.host_id = t.id
        ), '[]') as keys,
        (select count(*)::integer from host_entitlements l where l.host_id = t.id) as entitlements,
        ${uncovered} as uncovered
      from registrations r join hosts t on t.id = r.host_id join organizations o on o.id = t.organization_id
      where r.uuid = ${uuid}::uuid and ${joinConditions(conditions)}`,
  )
}

/** Presents a registered host. The private key is only known at the time of the registration. */
export function presentConsumer(
  consumer: Consumer,
  privateKey: string | null = null,
): Readonly<Record<string, unknown>> {
  const { uuid, owner } = consumer
  const [environment = null] = consumer.environments
  const issued = issueTimeOf(consumer.certificate)
  return {
    id: String(consumer.host),
    uuid,
    name: consumer.name,
    type: { id: '1', label: 'system', manifest: false },
    owner: presentOwner(owner),
    environment,
    environments: consumer.environments,
    idCert: {
      id: consumer.serial,
      ...(privateKey !== null && { key: privateKey }),
      cert: consumer.certificate,
      serial: {
        id: toExactNumber(consumer.serial),
        serial: toExactNumber(consumer.serial),
        expiration: consumer.expires_at,
        created: issued,
        collected: false,
        revoked: false,
      },
      created: issued,
      updated: issued,
    },
    facts: consumer.facts,
    installedProducts: consumer.installed_products,
    serviceLevel: consumer.service_level ?? '',
    role: consumer.purpose_role ?? '',
    usage: consumer.purpose_usage ?? '',
    addOns: consumer.purpose_addons,
    releaseVer: { releaseVer: consumer.release_version },
    autoheal: consumer.autoheal,
    entitlementStatus: entitlementStatusOf(consumer),
    entitlementCount: consumer.entitlements,
    contentAccessMode: null,
    activationKeys: consumer.keys.map(({ id, name }) => ({ activationKeyId: String(id), activationKeyName: name })),
    capabilities: [],
    guestIds: consumer.guest_ids,
    hypervisorId: null,
    lastCheckin: consumer.last_checkin,
    created: consumer.registered_at,
    updated: consumer.updated_at,
    href: `/consumers/${uuid}`,
  }
}

/** The time when a certificate was made; a renewed one is younger than the registration. */
function issueTimeOf(certificate: string): string {
  const { validFromDate } = new X509Certificate(certificate)
  const made = new Date(validFromDate.getTime() + BACKDATED_MS)
  return `${made.toISOString().slice(0, 19)}+0000`
}

/** Presents an organization to clients. */
export function presentOwner(owner: Consumer['owner']): Readonly<Record<string, unknown>> {
  const { id, label, name, content_access_mode, service_level } = owner
  return {
    id: String(id),
    key: label,
    displayName: name,
    href: `/owners/${label}`,
    contentAccessMode: content_access_mode,
    contentAccessModeList: 'org_environment,entitlement',
    defaultServiceLevel: service_level ?? '',
  }
}

/** The entitlement status. Nothing has to be covered where hosts get all content of their environment. */
export function entitlementStatusOf({ owner, uncovered }: Pick<Consumer, 'owner' | 'uncovered'>): string {
  if (owner.content_access_mode === 'org_environment') return 'disabled'
  return uncovered.length === 0 ? 'valid' : 'invalid'
}

/** A number with all its digits, because clients compare serial numbers as numbers. */
function toExactNumber(digits: string): unknown {
  return JSON.rawJSON(digits)
}
