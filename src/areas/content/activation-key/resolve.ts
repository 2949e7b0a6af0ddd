import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { badParameter, Failure } from '../../../errors.ts'
import {
  type Action,
  findResource,
  joinConditions,
  limitToVisible,
  type Registry,
  type Resource,
  referenceNotFound,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import {
  type Circumstances,
  computeEffectiveRegistration,
  findKeysByName,
  findOwnerById,
  listKeyRefusals,
  loadKeysById,
  parseKeyNames,
  type RegistrationOwner,
  type RequestedAttributes,
  type StoredKey,
} from '../../registration/index.ts'
import { EFFECTIVE, presentResolvedKeys } from './resolved.ts'

const text = (description: string) => z.string().optional().meta({ description })

/** The most keys that one request may name. */
const MOST = 100

/**
 * `GET /activation_keys/resolve?keys=a,b`: shows what a host would get by these keys in this order, the origin of each
 * value, contradictions between keys, and keys that would refuse the host (content-api §5.2, §5.3).
 */
export const resolveKeys: Action = {
  method: 'GET',
  path: '/resolve',
  name: 'resolve',
  summary: 'Resolve what hosts get by several activation keys',
  permissions: ['view_activation_keys'],
  query: {
    keys: text('Names of keys of one organization, separated by commas, in their order.'),
    activation_key_ids: text('Ids of keys instead, separated by commas, in their order.'),
    host_id: text('The host that would register: its location, the places that it holds, what it asks for.'),
  },
  output: EFFECTIVE,
  handle: resolve,
}

async function resolve(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { keys, owner } = await findRequestedKeys(ctx, resource, input)
  const { circumstances, wanted } = await findRequestedHost(ctx, resource.registry, input)
  const effective = computeEffectiveRegistration(keys, wanted, owner)
  return { status: 200, body: presentResolvedKeys(owner, effective, listKeyRefusals(keys, circumstances)) }
}

interface RequestedKeys {
  readonly keys: readonly StoredKey[]
  readonly owner: RegistrationOwner
}

/**
 * Finds the keys of the query. {@throws Failure} not_found, naming every unknown key; bad_parameter for none, too many,
 * or keys of two organizations
 */
async function findRequestedKeys(ctx: Context, resource: Resource, { query }: Input): Promise<RequestedKeys> {
  const [names, ids] = [readSingle(query, 'keys'), readSingle(query, 'activation_key_ids')]
  const seen = limitToVisible(ctx, resource, 'view_activation_keys')
  if (names !== null && names !== '') {
    const wanted = parseKeyNames(names)
    refuseTooMany('keys', wanted)
    if (ctx.scope.organization === null)
      throw new Failure('not_found', 'One of parameters [ organization_id ] required but not specified.')
    const owner = await findOwnerById(ctx.db, ctx.scope.organization)
    return { keys: await findKeysByName(ctx.db, owner.id, wanted, seen), owner }
  }
  const wanted = readIds(ids)
  refuseTooMany('activation_key_ids', wanted)
  const keys = await loadKeysById(ctx.db, wanted, seen)
  const missing = wanted.filter((id) => !keys.some((key) => key.id === id))
  if (missing.length > 0) throw referenceNotFound(resource, missing.join(', '))
  const organizations = await rows<{ id: number }>(
    ctx.db,
    sql`select distinct organization_id as id from activation_keys where id = any (${wanted}::bigint[])`,
  )
  const [first, second] = organizations
  if (!first || second) throw badParameter('activation_key_ids', ids, 'must be keys of one organization')
  return { keys, owner: await findOwnerById(ctx.db, first.id) }
}

function readIds(ids: string | null): number[] {
  const words = (ids ?? '').split(',').map((word) => word.trim())
  if (!words.every((word) => /^\d{1,15}$/.test(word)))
    throw badParameter(ids === null ? 'keys' : 'activation_key_ids', ids, 'must be names or ids separated by commas')
  return [...new Set(words.map(Number))]
}

function refuseTooMany(parameter: string, wanted: readonly unknown[]): void {
  if (wanted.length === 0) throw badParameter(parameter, '', 'must name at least one key')
  if (wanted.length > MOST) throw badParameter(parameter, wanted.length, `must be at most ${MOST} keys`)
}

interface HostAsked {
  readonly circumstances: Circumstances
  readonly wanted: RequestedAttributes
}

/** Finds the host that the query names; without one it supposes an unknown host in the location of the request. */
async function findRequestedHost(ctx: Context, registry: Registry, { query }: Input): Promise<HostAsked> {
  const withAncestors = (location: number) => [location, ...(ctx.trees.locations.get(location)?.above ?? [])]
  const id = readSingle(query, 'host_id')
  if (id === null || id === '') {
    const locations = ctx.scope.location === null ? [] : withAncestors(ctx.scope.location)
    return { circumstances: { locations, holds: new Set() }, wanted: {} }
  }
  const hosts = findResource(registry, 'host')
  const found = /^\d{1,15}$/.test(id)
    ? await row<{ location_id: number | null; keys: number[] } & Required<RequestedAttributes>>(
        ctx.db,
        sql`select t.location_id, array(select l.activation_key_id from activation_key_hosts l where l.host_id = t.id) as keys,
            r.service_level, r.release_version, r.purpose_usage, r.purpose_role, coalesce(r.purpose_addons, '{}') as purpose_addons
          from hosts t left join registrations r on r.host_id = t.id
          where t.id = ${id}::bigint and ${joinConditions(limitToVisible(ctx, hosts, 'view_hosts'))}`,
      )
    : undefined
  if (!found) throw referenceNotFound(hosts, id)
  const { location_id: location, keys, ...wanted } = found
  return {
    circumstances: { locations: location === null ? [] : withAncestors(location), holds: new Set(keys) },
    wanted,
  }
}
