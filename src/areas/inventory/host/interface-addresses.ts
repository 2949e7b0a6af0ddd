import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Draft } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { chooseAddress } from '../subnet/free-address.ts'
import type { InterfaceFields } from './interface-fields.ts'

/**
 * Chooses an address of each subnet in which a new interface has none. A managed host needs one; others do without it where
 * all are taken. {@throws Failure} invalid
 */
export async function chooseAddresses(
  ctx: Context,
  host: number,
  { managed, mac, ...draft }: Draft<InterfaceFields>,
): Promise<Draft<InterfaceFields>> {
  const chosen: Draft<InterfaceFields> = {}
  if (managed === false) return chosen
  for (const [subnet, key] of ADDRESS_OF) {
    const id = draft[subnet] ?? null
    const address = id === null || draft[key] ? undefined : await chooseAddress(ctx, id, mac ?? null)
    if (address) chosen[key] = address
    else if (address === null) await refuseWithoutAddress(ctx, host, key)
  }
  return chosen
}

const ADDRESS_OF = [
  ['subnet', 'ip'],
  ['subnet6', 'ip6'],
] as const

async function refuseWithoutAddress(ctx: Context, host: number, key: 'ip' | 'ip6'): Promise<void> {
  const managed = await row(ctx.db, sql`select from hosts where id = ${host} and managed`)
  if (managed) throw invalid({ [key]: ['has to be given: the subnet has no free address'] })
}
