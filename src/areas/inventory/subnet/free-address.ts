import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter, invalid } from '../../../errors.ts'
import type { Action, Resource, Stored } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { addressFamilyOf, toAddressNumber, toAddressText } from '../address.ts'
import type { SubnetFields } from './fields.ts'

const KEYS = ['id', 'network_type', 'network', 'mask', 'gateway', 'from', 'to', 'ipam'] as const
const NO_MAC = 'must be a MAC address: the address is made of it'

/** Suggests an address for a new interface by the method of the subnet. The address is not reserved; `chooseAddress` does that. */
export const freeAddress: Action<SubnetFields> = {
  method: 'GET',
  path: '/:id/freeip',
  name: 'freeip',
  summary: 'An address of a subnet that no interface has',
  permissions: ['view_subnets'],
  query: {
    mac: z.string().optional().meta({ description: 'MAC address that it is for; needed for EUI-64.' }),
    excluded_ips: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: 'Addresses that are not to be suggested.' }),
  },
  output: z.object({
    freeip: z
      .string()
      .nullable()
      .meta({ description: 'The address; null when nothing suggests one, or all are taken.' }),
    errors: z.object({}).meta({ description: 'Always empty: what is wrong is refused.' }),
  }),
  record: { how: 'found', keys: KEYS },
  handle: suggestAddress,
}

async function suggestAddress(
  ctx: Context,
  _resource: Resource,
  input: Input,
  subnet: Stored<SubnetFields> & { readonly mask: string },
): Promise<Answer> {
  const mac = readSingle(input.query, 'mac') ?? ''
  const freeip = await SUGGESTIONS[subnet.ipam]?.(ctx, subnet, { mac, excluded: readExcluded(input) })
  return { status: 200, body: { freeip: freeip ?? null, errors: {} } }
}

/** What a subnet says of its addresses. The mask is never null in rows, though requests may leave it out. */
type StoredSubnet = Pick<Stored<SubnetFields>, (typeof KEYS)[number]> & { readonly mask: string }

/**
 * Chooses an address of the subnet that no interface has, by the method of the subnet; null where none is left, undefined
 * where the subnet suggests none. Other requests for an address of the subnet wait until this transaction ends, so that each gets its own.
 */
export async function chooseAddress(ctx: Context, id: number, mac: string | null): Promise<string | null | undefined> {
  const [subnet] = await lockSubnets(ctx, [id])
  if (!subnet || (subnet.ipam === 'EUI-64' && mac === null)) return undefined
  return SUGGESTIONS[subnet.ipam]?.(ctx, subnet, { mac: mac ?? '', excluded: [] })
}

/** Locks the subnets among these that give addresses, always in the same order. */
export function lockSubnets(ctx: Context, ids: readonly number[]): Promise<StoredSubnet[]> {
  return rows<StoredSubnet>(
    ctx.db,
    sql`select id, network_type, host(network) as network, host(mask) as mask, host(gateway) as gateway,
        host("from") as "from", host("to") as "to", ipam
      from subnets where id = any (${ids}::bigint[]) and ipam = any (${Object.keys(SUGGESTIONS)}::text[])
      order by id for no key update`,
  )
}

/** What an address is for: the hardware address, and addresses that are not to be suggested. */
interface Wish {
  readonly mac: string
  readonly excluded: readonly string[]
}

type Suggest = (ctx: Context, subnet: StoredSubnet, wish: Wish) => Promise<string | null>

/** The methods by which this service suggests addresses. It does not ask smart proxies for theirs: clients do. */
const SUGGESTIONS: Readonly<Record<string, Suggest>> = {
  'Internal DB': async (ctx, subnet, wish) => findFirstFree(await rangeOf(ctx, subnet, wish), 0n),
  'Random DB': async (ctx, subnet, wish) => {
    const range = await rangeOf(ctx, subnet, wish)
    const size = range.last - range.first + 1n
    return findFirstFree(range, size > 1n ? BigInt(randomInt(Number(size < LARGEST ? size : LARGEST))) : 0n)
  },
  'EUI-64': async (_ctx, { network, mask }, { mac }) => {
    const digits = mac.replaceAll(/[:.-]/g, '')
    if (!/^[0-9a-f]{12}$/i.test(digits)) throw badParameter('mac', mac, NO_MAC)
    const prefix = toAddressNumber(network) & toAddressNumber(mask)
    const extended = BigInt(`0x${digits.slice(0, 6)}fffe${digits.slice(6)}`) ^ (2n << 56n)
    return toAddressText(prefix | extended, 6)
  },
}

const LARGEST = 2n ** 47n

interface Range {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
  readonly taken: ReadonlySet<bigint>
}

async function rangeOf(ctx: Context, subnet: StoredSubnet, { excluded }: Wish): Promise<Range> {
  const { id, network, mask, gateway, from, to } = subnet
  const family = subnet.network_type === 'IPv6' ? 6 : 4
  const bits = toAddressNumber(mask)
  const whole = (1n << (family === 4 ? 32n : 128n)) - 1n
  const start = toAddressNumber(network) & bits
  const column = family === 4 ? sql`i.ip` : sql`i.ip6`
  const link = family === 4 ? sql`i.subnet_id` : sql`i.subnet6_id`
  const used = await rows<{ address: string }>(
    ctx.db,
    sql`select host(${column}) as address from interfaces i where ${link} = ${id} and ${column} is not null`,
  )
  const given = gateway ? [gateway] : []
  const taken = [...used.map(({ address }) => address), ...given, ...excluded]
  return {
    family,
    // Without a range the network address and, at the end, the broadcast address are left out.
    first: from ? toAddressNumber(from) : start + 1n,
    last: to ? toAddressNumber(to) : (start | (whole ^ bits)) - 1n,
    taken: new Set(taken.map(toAddressNumber)),
  }
}

function readExcluded({ query }: Input): string[] {
  const sent = [query.excluded_ips ?? [], query['excluded_ips[]'] ?? []].flat().map(String)
  const wrong = sent.find((text) => addressFamilyOf(text) === 0)
  if (wrong !== undefined) throw badParameter('excluded_ips', wrong, 'must be IP addresses')
  return sent
}

/**
 * Finds a free address from `begin` to the end and then from the start, in at most one step more than there are taken
 * ones.
 */
function findFirstFree({ family, first, last, taken }: Range, begin: bigint): string | null {
  const size = last - first + 1n
  if (size < 1n) throw invalid({ base: ['The subnet has no addresses for hosts'] })
  for (let step = 0n; step < size && step <= BigInt(taken.size); step++) {
    const address = first + ((begin + step) % size)
    if (!taken.has(address)) return toAddressText(address, family)
  }
  return null
}
