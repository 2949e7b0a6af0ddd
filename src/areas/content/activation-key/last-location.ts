import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { findResource, joinConditions, limitToVisible, type WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/**
 * Refuses to delete the last location that an activation key is limited to: without one the key would be valid everywhere.
 * {@throws Failure} invalid, with the names of the keys that the caller may see
 */
export const lastLocationWrites: WriteWrapper = {
  async delete(ctx, stored, next, resource) {
    const shown = joinConditions(
      limitToVisible(ctx, findResource(resource.registry, 'activation_key'), 'view_activation_keys'),
    )
    const limited = await rows<{ name: string; shown: boolean }>(
      ctx.db,
      sql`
        select t.name, ${shown} as shown from activation_keys t
        where t.id in (select activation_key_id from activation_key_locations where location_id = ${stored.id})
          and not exists (select from activation_key_locations where activation_key_id = t.id and location_id <> ${stored.id})
        order by t.name for no key update of t`,
    )
    if (limited.length === 0) return next()
    const keys = limited.map(({ name, shown }) => (shown ? `the activation key ${name}` : 'a hidden activation key'))
    throw invalid({ base: keys.map((key) => `${stored.title} is the only location of ${key}`) }, stored.id)
  },
}
