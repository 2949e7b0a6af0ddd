import { type Context, inTransaction } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid, parentNotFound } from '../../../errors.ts'
import {
  type Action,
  findResource,
  joinConditions,
  limitToScope,
  type Resource,
  readAttributes,
  readBack,
  resolveParents,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { REPORT_BODY, readReport } from './read-report.ts'
import { storeReport } from './store.ts'

/** `POST /api/config_reports`: an agent, or a smart proxy for it, uploads the report of a run. */
export const uploadReport: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  forMachines: true,
  summary: 'Upload a configuration report of a host',
  permissions: ['upload_config_reports'],
  body: REPORT_BODY,
  status: 201,
  handle: upload,
}

async function upload(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { draft } = await resolveParents(ctx, resource, input)
  const report = await readReport(ctx, resource, readAttributes(resource, input.body))
  return inTransaction(ctx, async (tx) => {
    const host = await findHost(tx, resource, report.host)
    if (draft.host !== undefined && draft.host !== host) throw invalid({ host: ['must be the host of the path'] })
    const id = await storeReport(tx, host, report)
    return { status: 201, ...(input.reading !== null && { body: await readBack(tx, resource, id) }) }
  })
}

/**
 * Finds the host, first by the name in its certificate, like uploads of facts. {@throws Failure} not_found, also for
 * hosts that the machine does not act for
 */
async function findHost(ctx: Context, { registry }: Resource, name: string): Promise<number> {
  const hosts = findResource(registry, 'host')
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t
      where (coalesce(t.certname, t.name) = ${name} or t.name = ${name}) and ${joinConditions(limitToScope(ctx, hosts))}
      order by (coalesce(t.certname, t.name) = ${name}) desc, t.id limit 1`,
  )
  if (!found) throw parentNotFound(hosts.name, name)
  return found.id
}
