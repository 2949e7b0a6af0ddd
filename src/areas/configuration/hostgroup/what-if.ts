import { z } from 'zod'
import { toNodeValue } from '../../../classification/output.ts'
import { type Context, withRollback } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import {
  type Action,
  type Resource,
  readDraft,
  type Stored,
  updateStored,
  validateBody,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { joinAll, sql } from '../../../sql.ts'
import { limitToVisibleHosts } from '../explanation/visible-hosts.ts'
import { computeClassification } from '../node/classify.ts'
import { loadNodes } from '../node/node.ts'
import { loadViewerOfMany } from '../node/viewer.ts'
import { toField } from '../smart-class-parameter/values.ts'

/** So many hosts are compared, and so many changed ones are named. */
const MOST_COMPARED = 1000
const MOST_NAMED = 50

/** Answers which hosts a change of a host group would classify in another way (docs/classification.md). */
export const groupWhatIf: Action = {
  method: 'POST',
  path: '/:id/what_if',
  name: 'what_if',
  summary: 'Preview which hosts a change of a host group would classify in another way; nothing is stored',
  permissions: ['edit_hostgroups'],
  takes: 'update',
  status: 200,
  output: z
    .object({
      hosts: z.int().meta({ description: 'Hosts in the group and below it, of those that the caller may see.' }),
      compared: z.int().meta({ description: 'Hosts that were compared: all of them, at most 1,000, by name.' }),
      changed: z.int().meta({ description: 'Compared hosts that would get another classification.' }),
      results: z
        .array(
          z.object({
            id: z.int().meta({ description: 'Id of the host.' }),
            name: z.string().meta({ description: 'Its name.' }),
          }),
        )
        .meta({ description: 'The first 50 of the hosts that would change, by name.' }),
    })
    .meta({ title: 'GroupWhatIf', description: 'Hosts that a change of a host group would affect.' }),
  record: { how: 'locked', permission: 'edit_hostgroups' },
  handle: compareHosts,
}

async function compareHosts(ctx: Context, resource: Resource, input: Input, stored: Stored): Promise<Answer> {
  const validated = await validateBody(ctx, resource, input.body)
  const body = await withRollback(ctx, async (tx) => {
    const { total, hosts } = await loadHostsBelow(tx, resource, stored.id)
    const look = () =>
      describeHosts(
        tx,
        resource,
        hosts.map(({ id }) => id),
      )
    const before = await look()
    await updateStored(tx, resource, stored, await readDraft(tx, resource, validated, stored))
    const after = await look()
    const changed = hosts.filter(({ id }) => before.get(id) !== after.get(id))
    return { hosts: total, compared: hosts.length, changed: changed.length, results: changed.slice(0, MOST_NAMED) }
  })
  return { status: 200, body }
}

interface NamedHost {
  readonly id: number
  readonly name: string
}

/** Loads the hosts in a group and below it, and counts all of them. */
async function loadHostsBelow(
  ctx: Context,
  { registry }: Resource,
  group: number,
): Promise<{ readonly total: number; readonly hosts: readonly NamedHost[] }> {
  const isBelow = sql`t.hostgroup_id in (
    select g.id from hostgroups g where g.id = ${group} or g.ancestor_ids @> array[${group}::bigint])`
  const condition = joinAll([isBelow, limitToVisibleHosts(ctx, registry)])
  const counted = await row<{ total: number }>(ctx.db, sql`select count(*) as total from hosts t where ${condition}`)
  const hosts = await rows<NamedHost>(
    ctx.db,
    sql`select t.id, t.name from hosts t where ${condition} order by t.name limit ${MOST_COMPARED}`,
  )
  return { total: counted?.total ?? 0, hosts }
}

/** Yields a text for each host that is equal for equal classifications, as the caller may see them. */
async function describeHosts(
  ctx: Context,
  { registry }: Resource,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const viewer = await loadViewerOfMany(ctx, registry)
  const prepared = await loadNodes(ctx, ids, viewer)
  return new Map(
    prepared.map((one) => {
      const { document, failures } = computeClassification(one, ctx.encryption.decrypt)
      return [one.inputs.id, JSON.stringify([document && toField(toNodeValue(document)), failures])]
    }),
  )
}
