import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { single } from '../../kernel/input.ts'
import type { Resource } from '../../kernel/resource.ts'
import type { Answer } from '../../kernel/route.ts'
import { readAsked } from '../asked.ts'
import { isOffered } from '../effective.ts'
import type { HostRecords } from '../hosts.ts'
import type { Owner, Pair } from '../key.ts'
import { keyNames, loadKeys, ownerWithLabel } from '../keys.ts'
import { type Enrolment, registerHost } from '../register.ts'
import { unavailable } from './changing.ts'
import { consumerBody, findConsumer } from './consumer.ts'
import type { Call } from './endpoint.ts'
import { seenPairs } from './reading.ts'

/** `POST /rhsm/consumers`: with keys by anybody, without by a user who may make hosts (content-api §5.2). */
export async function enrol(ctx: Context, hosts: HostRecords, { input, through }: Call): Promise<Answer> {
  const owner = await ownerOf(ctx, single(input.query, 'owner'))
  const list = single(input.query, 'activation_keys')
  const keys = list === null ? [] : await loadKeys(ctx.db, owner.id, keyNames(list))
  if (list !== null && keys.length === 0) throw new Failure('malformed', 'At least one activation key must be provided')
  const asked = readAsked(input.body, hosts)
  const level = asked.wanted.service_level
  if (level && !isOffered(owner.service_levels, level)) throw unavailable(level, owner)
  const enrolment: Enrolment = {
    ...{ owner, asked, keys, through },
    ...(list === null && { pairs: await pairsFor(ctx, hosts.resource, owner, asked.environments) }),
    location: locationIn(input.query),
  }
  const { uuid, privateKey } = await registerHost(ctx, hosts, enrolment)
  const consumer = await findConsumer(ctx, uuid)
  if (!consumer) throw new Failure('conflict', 'Another client registered the same host at the same time')
  return { status: 200, body: consumerBody(consumer, privateKey) }
}

/** {@throws Failure} malformed without a label, not_found for one that is not the caller's */
async function ownerOf(ctx: Context, label: string | null): Promise<Owner> {
  if (label === null || label === '') throw new Failure('malformed', 'owner must be the label of an organization')
  const owner = await ownerWithLabel(ctx.db, label)
  if (!ctx.user.admin && !ctx.user.organizations.includes(owner.id))
    throw new Failure('not_found', `Couldn't find Organization '${label}'.`)
  return owner
}

function locationIn(query: Call['input']['query']): number | null {
  const sent = single(query, 'location_id')
  if (sent === null) return null
  if (/^\d{1,15}$/.test(sent)) return Number(sent)
  throw new Failure('malformed', 'location_id must be the id of a location')
}

/**
 * The pairs with these ids, `<content view>-<environment>`, of which the caller may view both (content-api §5.2); the
 * default view in the Library where none is asked for.
 */
async function pairsFor(ctx: Context, hosts: Resource, owner: Owner, ids: readonly string[]): Promise<readonly Pair[]> {
  const found = await rows<Pair & { id: string; usual: boolean }>(
    ctx.db,
    sql`
      select v.id || '-' || e.id as id, v."default" and e.library as usual,
        json_build_object('id', e.id, 'name', e.name) as environment, json_build_object('id', v.id, 'name', v.name) as content_view,
        case when v."default" then e.label else e.label || '/' || v.label end as label
      from content_view_environments l join content_views v on v.id = l.content_view_id
        join lifecycle_environments e on e.id = l.environment_id
      where v.organization_id = ${owner.id}
        and (v.id || '-' || e.id = any (${ids}::text[]) and ${seenPairs(ctx, hosts)} or ${ids.length === 0} and v."default" and e.library)`,
  )
  const wanted = ids.length === 0 ? found : [...new Set(ids)].map((id) => found.find((pair) => pair.id === id) ?? id)
  return wanted.map((pair) => {
    if (typeof pair === 'string') throw new Failure('not_found', `Couldn't find environment '${pair}'`)
    return { environment: pair.environment, content_view: pair.content_view, label: pair.label }
  })
}
