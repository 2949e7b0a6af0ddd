import { randomUUID, type X509Certificate } from 'node:crypto'
import { type Context, inTransaction } from '../../context.ts'
import { isGone, isRace } from '../../database/failures.ts'
import { row } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { sql } from '../../sql.ts'
import { PLACE_FACTS } from '../../words/protocols.ts'
import { isStranger, requireProof } from './again.ts'
import { applyRegistration, requirePairs } from './apply.ts'
import { type Registration, storeRegistration } from './claim.ts'
import { computeEffectiveRegistration, type EffectiveRegistration } from './effective.ts'
import { storeFirstRegistration } from './first.ts'
import type { HostRecords } from './hosts.ts'
import { createIdentity, type Identity } from './identity.ts'
import type { Pair, RegistrationOwner } from './key.ts'
import type { StoredKey } from './keys.ts'
import { chooseHostName, type ExistingHost, loadExistingHost, lockExistingHost } from './known-host.ts'
import { listLocationAndAbove, resolveLocation } from './place.ts'
import { listKeyRefusals, refuseUnusableKeys } from './refusals.ts'
import type { RegistrationRequest } from './registration-request.ts'

/** A request to register a host. */
export interface Enrolment {
  readonly owner: RegistrationOwner
  readonly asked: RegistrationRequest
  /** Keys in the order of the request; without keys the caller is a user, who names pairs. */
  readonly keys: readonly StoredKey[]
  readonly pairs?: readonly Pair[]
  /** Id of the requested location. */
  readonly location: number | null
  /** The host name by which the client addressed the service. */
  readonly through: string | null
  /** The client certificate of the connection, if our authority signed it. */
  readonly certificate: X509Certificate | null
}

/** The result of a registration. */
interface Enrolled {
  readonly host: number
  readonly uuid: string
  /** PEM, never stored; null when the client has a key of its own. */
  readonly privateKey: string | null
}

/**
 * Registers a host, all or nothing, and gives it an identity (content-api §5.2). The certificate, which is slow to
 * make, is made before the transaction and after most refusals. {@throws Failure}
 */
export async function registerHost(ctx: Context, hosts: HostRecords, sent: Enrolment): Promise<Enrolled> {
  const hostName = await chooseHostName(ctx, sent.owner, sent.asked)
  const enrolment = { ...sent, asked: { ...sent.asked, hostName } }
  await refuseEarly(ctx, enrolment)
  const uuid = randomUUID()
  const identity = await createIdentity(ctx, enrolment, uuid)
  const host = await withRetries(() => inTransaction(ctx, (tx) => enrol(tx, hosts, enrolment, { ...identity, uuid })))
  return { host, uuid, privateKey: identity.privateKey }
}

/** Refuses most invalid registrations early, where a refusal costs one more statement at most, and no locks. */
async function refuseEarly(ctx: Context, { owner, asked, keys, pairs, certificate }: Enrolment): Promise<void> {
  const anywhere = {
    locations: keys.flatMap(({ locations }) => locations.map(({ id }) => id)),
    holds: new Set<number>(),
  }
  if (listKeyRefusals(keys, anywhere).length > 0) {
    const known = await loadExistingHost(ctx, owner, asked)
    refuseUnusableKeys(keys, {
      ...anywhere,
      holds: new Set(known?.holds),
      stranger: isStranger(known, asked, certificate),
    })
  }
  if (!pairs) requirePairs(keys.findLast(({ environments }) => environments.length > 0)?.environments ?? [])
}

async function enrol(
  tx: Context,
  hosts: HostRecords,
  enrolment: Enrolment,
  identity: Identity & { readonly uuid: string },
): Promise<number> {
  const { owner, asked, keys, certificate } = enrolment
  const known = await lockExistingHost(tx, hosts.resource, owner, asked)
  const title = asked.facts.millwright_location ?? asked.facts[PLACE_FACTS.location]
  const location = known
    ? known.location_id
    : await resolveLocation(
        tx,
        owner,
        { id: enrolment.location, title: typeof title === 'string' ? title : null },
        keys,
      )
  const stranger = isStranger(known, asked, certificate)
  const circumstances = { locations: listLocationAndAbove(tx, location), holds: new Set(known?.holds), stranger }
  refuseUnusableKeys(keys, circumstances)
  const user = tx.user.id || null
  const proof = known && requireProof(tx, known, asked, certificate)
  if (known && user !== null) await hosts.assertEditable(tx, known.id)
  const names = keys.map(({ name }) => name)
  const audited = { registration: identity.uuid, ...(keys.length > 0 && { activation_keys: names }) }
  const host = known
    ? await completeKnownHost(tx, hosts, owner, known)
    : await hosts.create(tx, {
        name: asked.hostName,
        organization: owner.id,
        location,
        owner: user,
        audited,
        facts: asked.hostFacts,
      })
  if (user !== null) await hosts.assertCreatable(tx, host)
  await (known ? hosts.storeFacts : hosts.storeFirstFacts)(tx, host, asked.hostFacts)
  const wishing =
    known?.uuid === null ? { ...enrolment, asked: await withStoredAttributes(tx, host, asked) } : enrolment
  const effective = computeEffective(wishing)
  const registration = registrationOf(wishing, effective, identity, user)
  if (!known && owner.content_access_mode === 'org_environment') {
    await storeFirstRegistration(tx, host, keys, circumstances, effective, registration)
    return host
  }
  const products = (asked.installedProducts ?? []).map(({ productId }) => productId)
  const needs = { products, autoheal: registration.autoheal }
  await applyRegistration(tx, host, { owner, effective, needs })
  await storeRegistration(tx, host, keys, circumstances, registration)
  if (known)
    await hosts.audit(tx, host, {
      registration: [known.uuid, identity.uuid],
      registered_by: [null, proof],
      ...(known.system_uuid !== asked.systemUuid && { system_uuid: [known.system_uuid, asked.systemUuid] }),
      ...(keys.length > 0 && { activation_keys: [null, names] }),
    })
  return host
}

/** Computes what the keys grant; pairs that a user names are treated like those of a key. */
function computeEffective({ owner, asked, keys, pairs }: Enrolment): EffectiveRegistration {
  const effective = computeEffectiveRegistration(keys, asked.requested, owner)
  return pairs
    ? { ...effective, content_view_environments: { value: pairs, key: null, from: 'host', conflicts: [] } }
    : effective
}

async function completeKnownHost(
  tx: Context,
  hosts: HostRecords,
  owner: RegistrationOwner,
  known: ExistingHost,
): Promise<number> {
  if (known.organization_id === null) await hosts.change(tx, known.id, { organization: owner.id })
  return known.id
}

function registrationOf(
  { asked, through }: Enrolment,
  effective: EffectiveRegistration,
  { uuid, serial, certificate, expiresAt }: Identity & { readonly uuid: string },
  user: number | null,
): Registration {
  return {
    uuid,
    serial,
    certificate,
    expiresAt,
    user,
    systemUuid: asked.systemUuid,
    service_level: effective.service_level.value,
    release_version: effective.release_version.value,
    purpose_usage: effective.purpose_usage.value,
    purpose_role: effective.purpose_role.value,
    purpose_addons: effective.purpose_addons.value,
    autoheal: asked.autoheal ?? true,
    facts: asked.facts,
    installedProducts: asked.installedProducts ?? [],
    registeredThrough: through !== null && through.length <= LONGEST_NAME ? through : null,
  }
}

/** Longer host names in a header are ignored. */
const LONGEST_NAME = 255

const MOST_RACES = 3

/**
 * Tries again, three times at most, after a conflict: when two clients create the same new host, the second finds the host
 * of the first. {@throws Failure} conflict when something that the keys give was deleted meanwhile
 */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let races = 0; ; races++) {
    try {
      return await work()
    } catch (error) {
      if (isGone(error)) throw createKeysChanged(error)
      if (!isRace(error) || races >= MOST_RACES) throw error
    }
  }
}

function createKeysChanged(cause: unknown): Failure {
  const message = 'What the activation keys give has changed at the same time, please try again'
  return new Failure('conflict', message, {}, { cause })
}

/** Attributes that were stored for a host before it was registered. */
type Wishes = Pick<
  Registration,
  'service_level' | 'release_version' | 'purpose_usage' | 'purpose_role' | 'purpose_addons' | 'autoheal'
>

/**
 * Completes the request of a client with attributes that were stored for the host before its registration, because
 * clients send blanks for unknown values (content-api §5.3). Deletes the stored attributes.
 */
async function withStoredAttributes(
  tx: Context,
  host: number,
  asked: RegistrationRequest,
): Promise<RegistrationRequest> {
  const wishes = await row<Wishes>(
    tx.db,
    sql`delete from host_wishes where host_id = ${host}
      returning service_level, release_version, purpose_usage, purpose_role, purpose_addons, autoheal`,
  )
  if (!wishes) return asked
  const { requested: wanted } = asked
  return {
    ...asked,
    autoheal: asked.autoheal ?? wishes.autoheal,
    requested: {
      service_level: wanted.service_level || wishes.service_level,
      release_version: wanted.release_version || wishes.release_version,
      purpose_usage: wanted.purpose_usage || wishes.purpose_usage,
      purpose_role: wanted.purpose_role || wishes.purpose_role,
      purpose_addons: wanted.purpose_addons?.length ? wanted.purpose_addons : wishes.purpose_addons,
    },
  }
}
