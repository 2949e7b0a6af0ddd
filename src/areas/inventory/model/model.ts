import { z } from 'zod'
import { rows } from '../../../database/sql.ts'
import {
  defineResource,
  findResource,
  joinConditions,
  limitToReachable,
  type Transform,
  text,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

const KEYS = ['info', 'created_at', 'updated_at', 'vendor_class', 'hardware_model', 'id', 'name']

/** Hardware models (core-api §11). */
export const models = defineResource({
  name: 'model',
  summary: 'A hardware model of hosts.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    info: text({ max: 65_535, search: 'free', doc: 'Optional note.' }),
    vendor_class: text({ search: 'free', doc: 'Vendor class that it sends when it boots from the network.' }),
    hardware_model: text({ search: 'free', doc: 'Name of the hardware model for installers.' }),
  },
  label: 'name',
  views: { list: [...KEYS, 'hosts_count'], show: [...KEYS, 'hosts_count'], transform: countHosts() },
  readable: {
    hosts_count: {
      schema: () => z.int().meta({ description: 'Number of its hosts that the caller can reach.' }),
      sql: () => sql`0`,
    },
  },
})

/**
 * Counts the hosts of each model. Models belong to nobody, so that only hosts within the caller's reach count. One
 * statement for a page.
 */
function countHosts(): Transform {
  return async (ctx, { registry }, records) => {
    if (records.length === 0) return records
    const ids = records.map(({ id }) => Number(id))
    const reached = joinConditions(limitToReachable(ctx, findResource(registry, 'host')))
    const found = await rows<{ model_id: number; hosts: number }>(
      ctx.db,
      sql`select t.model_id, count(*) as hosts from hosts t where t.model_id = any (${ids}::bigint[]) and ${reached} group by t.model_id`,
    )
    const counts = new Map(found.map(({ model_id, hosts }) => [model_id, hosts]))
    return records.map((record) => ({ ...record, hosts_count: counts.get(Number(record.id)) ?? 0 }))
  }
}
