import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { type Action, findResource, joinConditions, limitToVisible, type Resource } from '../../../kernel/index.ts'
import { listQuery, offsetOf, readPaging } from '../../../requests/paging.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { answerUnsearched, buildUnsearchedPageSchema } from '../../../requests/unsearched.ts'
import { sql } from '../../../sql.ts'

const { page, per_page } = listQuery

const HOST = z.object({
  id: z.int().meta({ description: 'Id of the host.' }),
  name: z.string().meta({ description: 'Its name.' }),
})

/**
 * `GET /api/subnets/lint`: lists the addresses that several managed hosts of a subnet have, which the caller may see. They
 * are stored, because a host may replace another one; both on the network at once cannot be reached reliably.
 */
export const lintAddresses: Action = {
  method: 'GET',
  path: '/lint',
  name: 'lint',
  summary: 'List addresses that several managed hosts of a subnet have',
  permissions: ['view_subnets'],
  query: { page, per_page },
  output: buildUnsearchedPageSchema(
    z.object({
      address: z.string().meta({ description: 'The address, IPv4 or IPv6.' }),
      subnet_id: z.int().meta({ description: 'Id of the subnet.' }),
      subnet_name: z.string().meta({ description: 'Its name.' }),
      hosts: z.array(HOST).meta({ description: 'The hosts with this address, by id.' }),
    }),
    {
      total: 'Addresses that several hosts have.',
      perPage: 'Addresses on a full page.',
      order: 'Addresses come by subnet.',
      results: 'The addresses of this page.',
    },
  ).meta({ title: 'SharedAddresses', description: 'Addresses that several hosts have.' }),
  handle: listSharedAddresses,
}

interface SharedAddress {
  readonly address: string
  readonly subnet_id: number
  readonly subnet_name: string
  readonly ids: readonly number[]
  readonly names: readonly string[]
}

async function listSharedAddresses(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const paging = readPaging(input.query, ctx.settings.entries_per_page)
  const found = await loadSharedAddresses(ctx, resource)
  const start = offsetOf(paging)
  const shown = found.slice(start, paging.perPage === null ? undefined : start + paging.perPage)
  return answerUnsearched(
    paging,
    found.length,
    shown.map(({ ids, names, ...address }) => ({
      ...address,
      hosts: ids.map((id, index) => ({ id, name: names[index] })),
    })),
  )
}

/** Loads addresses of visible subnets that several visible hosts have, by subnet and address. */
function loadSharedAddresses(ctx: Context, resource: Resource): Promise<SharedAddress[]> {
  const hosts = joinConditions(limitToVisible(ctx, findResource(resource.registry, 'host'), 'view_hosts'))
  const subnets = joinConditions(limitToVisible(ctx, resource, 'view_subnets'))
  return rows<SharedAddress>(
    ctx.db,
    sql`with seen as (select t.id, t.name from hosts t where t.managed and ${hosts}),
      used as (
        select distinct a.ip, a.subnet_id, seen.id, seen.name
        from interfaces i
          join seen on seen.id = i.host_id
          cross join lateral (values (i.ip, i.subnet_id), (i.ip6, i.subnet6_id)) a (ip, subnet_id)
        where a.ip is not null)
      select host(used.ip) as address, t.id as subnet_id, t.name as subnet_name,
        array_agg(used.id order by used.id) as ids, array_agg(used.name order by used.id) as names
      from used join subnets t on t.id = used.subnet_id
      where ${subnets}
      group by used.ip, t.id, t.name having count(*) > 1
      order by t.id, used.ip`,
  )
}
