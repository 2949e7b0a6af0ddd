import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { badParameter, Failure, notFound, parentNotFound } from '../../../errors.ts'
import {
  type Action,
  findResource,
  limitToVisible,
  permissionOf,
  type Resource,
  selectRecord,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment, readSingle } from '../../../requests/sent.ts'
import { asksForHidden, HIDDEN_QUERY } from '../../access/index.ts'
import { explainParameter, loadExplainedHost } from '../explanation/host-explanation.ts'
import { EXPLANATION } from '../explanation/schemas.ts'
import { loadExplanationViewer } from '../node/viewer.ts'
import { findParameterId } from './operations.ts'
import { VIEW } from './scope.ts'

/** Explains what a host gets of one parameter, or why it gets nothing (docs/classification.md). */
export const explainForHost: Action = {
  method: 'GET',
  path: '/:id/explain',
  name: 'explain',
  below: ['host'],
  summary: 'Explain what a host gets for a smart class parameter',
  permissions: [VIEW],
  query: {
    ...HIDDEN_QUERY,
    host_id: z.string().optional().meta({ description: 'The host, by id or name, where the path names none.' }),
  },
  output: EXPLANATION,
  handle: explain,
}

async function explain(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const segment = readIdSegment(input)
  const hosts = hostsOf(resource)
  const id = await findAnywhere(ctx, resource, input, segment)
  const host = await findHost(ctx, hosts, input)
  const viewer = await loadExplanationViewer(ctx, hosts, host, asksForHidden(input.query))
  const found = await loadExplainedHost(ctx, resource.registry, host, viewer)
  const explanation = found && (await explainParameter(ctx, resource.registry, found, id, input.query))
  if (!explanation) throw parentNotFound(resource.name, segment)
  return { status: 200, body: explanation }
}

function hostsOf({ registry }: Resource): Resource {
  const hosts = findResource(registry, 'host')
  return hosts
}

async function findHost(ctx: Context, hosts: Resource, { params, query }: Input): Promise<number> {
  const segment = params.host_id ?? readSingle(query, 'host_id')
  if (!segment) throw badParameter('host_id', segment, 'must name the host by its id or name')
  const found = await selectRecord(
    ctx.db,
    hosts,
    ['id'],
    segment,
    limitToVisible(ctx, hosts, permissionOf(hosts, 'view')),
  )
  if (!found) throw notFound(hosts.name, segment)
  return found.id
}

/** Finds a parameter by name among all, when the host does not get one of that name. */
async function findAnywhere(ctx: Context, resource: Resource, input: Input, segment: string): Promise<number> {
  try {
    return await findParameterId(ctx, resource, input, segment)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'parent_not_found') throw error
    const { host_id: _path, ...params } = input.params
    const { host_id: _query, ...query } = input.query
    return findParameterId(ctx, resource, { ...input, params, query }, segment)
  }
}
