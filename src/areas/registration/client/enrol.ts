import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import type { Answer } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { isOffered } from '../effective.ts'
import type { HostRecords } from '../hosts.ts'
import type { RegistrationOwner } from '../key.ts'
import { findKeysByName, findOwnerById, findOwnerByLabel, findOwnerOfKeys, parseKeyNames } from '../keys.ts'
import { asMachineOf } from '../machine.ts'
import { type Enrolment, registerHost } from '../register.ts'
import { readRegistrationRequest } from '../registration-request.ts'
import { loadConsumer, presentConsumer } from './consumer.ts'
import { unavailable } from './consumer-changes.ts'
import type { Call } from './endpoint.ts'
import { findPairs } from './pairs.ts'

/**
 * `POST /rhsm/consumers`: registers a host, with keys for anybody, without them for users who may create hosts
 * (content-api §5.2). Older clients post below an environment, always as a user.
 */
export async function enrolHost(
  asking: Context,
  hosts: HostRecords,
  { input, through, certificate }: Call,
): Promise<Answer> {
  const { environment } = input.params
  const list = environment === undefined ? readSingle(input.query, 'activation_keys') : null
  const names = parseKeyNames(list ?? '')
  if (list !== null && names.length === 0)
    throw new Failure('malformed', 'At least one activation key must be provided')
  const owner = await (environment === undefined
    ? ownerOf(asking, readSingle(input.query, 'owner'), names)
    : ownerOfPair(asking, environment))
  const ctx = asMachineOf(asking, owner)
  const keys = list === null ? [] : await findKeysByName(ctx.db, owner.id, names)
  const asked = await readRegistrationRequest(input.body, hosts, ctx.settings.register_hostname_fact)
  const level = asked.requested.service_level
  if (level && !isOffered(owner.service_levels, level)) throw unavailable(level, owner)
  const wanted = environment === undefined ? asked.environments : [environment]
  const enrolment: Enrolment = {
    owner,
    asked,
    keys,
    through,
    certificate,
    ...(list === null && { pairs: await findPairs(ctx, hosts.resource, owner, wanted) }),
    location: readLocation(input.query),
  }
  const { uuid, privateKey } = await registerHost(ctx, hosts, enrolment)
  const consumer = await loadConsumer(ctx, uuid)
  if (!consumer) throw new Failure('conflict', 'Another client registered the same host at the same time')
  return { status: 200, body: presentConsumer(consumer, privateKey) }
}

/**
 * Finds the organization with this label. {@throws Failure} malformed without a label, not_found for one that is not
 * the caller's
 */
async function ownerOf(ctx: Context, label: string | null, keys: readonly string[]): Promise<RegistrationOwner> {
  if (label === null || label === '') throw new Failure('malformed', 'owner must be the label of an organization')
  if (keys.length > 0) return findOwnerOfKeys(ctx.db, label, keys)
  const owner = await findOwnerByLabel(ctx.db, label)
  if (!ctx.user.admin && !ctx.user.organizations.includes(owner.id))
    throw new Failure('not_found', `Couldn't find Organization '${label}'.`)
  return owner
}

/** Finds the organization of a pair. {@throws Failure} not_found, also for one that is not the caller's */
async function ownerOfPair(ctx: Context, id: string): Promise<RegistrationOwner> {
  const found = await row<{ organization: number }>(
    ctx.db,
    sql`select v.organization_id as organization from content_view_environments l join content_views v on v.id = l.content_view_id
      where v.id || '-' || l.environment_id = ${id}`,
  )
  if (!found || !(ctx.user.admin || ctx.user.organizations.includes(found.organization)))
    throw new Failure('not_found', `Couldn't find environment '${id}'`)
  return findOwnerById(ctx.db, found.organization)
}

function readLocation(query: Call['input']['query']): number | null {
  const sent = readSingle(query, 'location_id')
  if (sent === null) return null
  if (/^\d{1,15}$/.test(sent)) return Number(sent)
  throw new Failure('malformed', 'location_id must be the id of a location')
}
