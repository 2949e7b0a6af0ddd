import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import {
  type Action,
  type Condition,
  findResource,
  joinConditions,
  limitToVisible,
  list,
  type Resource,
  referenceNotFound,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

/** Lists host collections, with the filter parameters of content-api §8.1. */
export const listCollections: Action = {
  method: 'GET',
  path: '',
  name: 'list',
  summary: 'List host collections',
  permissions: ['view_host_collections'],
  query: {
    name: z.string().optional().meta({ description: 'Only the record with exactly this name.' }),
    host_id: z.string().optional().meta({ description: 'Only those that have this host.' }),
    available_for: z
      .literal('host')
      .optional()
      .meta({ description: 'With host_id: those of its organization that do not have the host.' }),
  },
  outputs: 'list',
  handle: listWithFilters,
}

async function listWithFilters(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  return list(ctx, resource, input, [...limitToName(input), ...(await limitToHost(ctx, resource, input))])
}

function limitToName({ query }: Input): Condition[] {
  const name = readSingle(query, 'name')
  return name === null ? [] : [{ sql: sql`t.name = ${name}::text`, tables: [] }]
}

/** Leaves the collections that a host is in, or that it could be added to. {@throws Failure} not_found for an invisible host */
async function limitToHost(ctx: Context, resource: Resource, { query }: Input): Promise<Condition[]> {
  const availableFor = readSingle(query, 'available_for')
  const id = readSingle(query, 'host_id')
  if (availableFor !== null && availableFor !== 'host')
    throw badParameter('available_for', availableFor, "must be 'host'")
  if (id === null) return []
  const hosts = findResource(resource.registry, 'host')
  const host = /^\d{1,15}$/.test(id)
    ? await row<{ id: number; organization_id: number | null }>(
        ctx.db,
        sql`select t.id, t.organization_id from hosts t where t.id = ${id}::bigint and ${joinConditions(limitToVisible(ctx, hosts, 'view_hosts'))}`,
      )
    : undefined
  if (!host) throw referenceNotFound(hosts, id)
  const member = sql`exists (select from host_collection_hosts m where m.host_collection_id = t.id and m.host_id = ${host.id}::bigint)`
  const tables = ['host_collection_hosts']
  if (availableFor === null) return [{ sql: member, tables }]
  return [{ sql: sql`not ${member} and t.organization_id = ${host.organization_id}::bigint`, tables }]
}
