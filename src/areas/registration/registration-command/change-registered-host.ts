import { asTrustedService, type Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { lock, type Resource, readDraft, updateStored, validate } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { readObjects } from '../../../values.ts'
import { withOtherParameters } from '../../parameters/index.ts'
import type { Options } from './options.ts'

/** Applies the options of the script to the registered host; yields its name. */
export async function changeRegisteredHost(
  tx: Context,
  hosts: Resource,
  id: number,
  values: Record<string, unknown>,
  options: Options,
): Promise<string> {
  const stored = await lock(tx, hosts, id)
  const environment = options.lifecycle_environment_id
  const moved = typeof environment === 'number' ? await resolvePairsIn(tx, id, environment) : {}
  const parameters = readObjects(values, 'host_parameters_attributes')
  const kept = parameters && {
    host_parameters_attributes: await withOtherParameters(tx, 'host', id, parameters),
  }
  const validated = await validate(tx, hosts, { ...values, ...kept, ...moved })
  await updateStored(asTrustedService(tx), hosts, stored, await readDraft(tx, hosts, validated, stored))
  return String(stored.name)
}

/**
 * The pairs of the host with its first view in that environment. {@throws Failure} invalid when the environment has no
 * version of the view
 */
async function resolvePairsIn(tx: Context, host: number, environment: number): Promise<Record<string, unknown>> {
  const [first, ...others] = await rows<{ content_view_id: number; lifecycle_environment_id: number; there: boolean }>(
    tx.db,
    sql`
      select h.content_view_id, h.environment_id as lifecycle_environment_id, exists (
        select from content_view_environments l where l.content_view_id = h.content_view_id and l.environment_id = ${environment}) as there
      from host_environments h where h.host_id = ${host} order by h.position`,
  )
  if (!first?.there) throw invalid({ lifecycle_environment_id: ['does not have the content view of the host'] }, host)
  const moved = { content_view_id: first.content_view_id, lifecycle_environment_id: environment }
  const kept = others.filter(
    (pair) =>
      pair.content_view_id !== moved.content_view_id ||
      pair.lifecycle_environment_id !== moved.lifecycle_environment_id,
  )
  return { content_facet_attributes: { content_view_environments: [moved, ...kept] } }
}
