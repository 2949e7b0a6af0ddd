import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import type { Resource, Sent } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { isMembers } from '../../../values.ts'
import { type Facts, flattenFacts, storeFacts } from '../../inventory/index.ts'
import { collectHostKeys, readSupposedName } from './supposed-keys.ts'
import { listParameters } from './supposed-parameters.ts'
import { writeSupposed } from './write-supposed.ts'

/** A host that exists until its transaction is rolled back. */
export interface SupposedHost {
  readonly id: number
  /** Ids of the parameters in the request. */
  readonly parameters: readonly number[]
}

/**
 * Creates the supposed host of a request, or changes the host that it names, with everything that real writes cause:
 * values of the host group, and the name in its domain. Links must be within the caller's reach; permission to create
 * or edit hosts is not needed, because nothing remains. {@throws Failure} like writes of hosts
 */
export async function supposeHost(tx: Context, hosts: Resource, body: Sent): Promise<SupposedHost> {
  const [attributes, facts, parameters] = ['attributes', 'facts', 'parameters'].map((key) => readObject(body, key))
  const sent = {
    ...(await collectHostKeys(tx, hosts, attributes ?? {})),
    host_parameters_attributes: listParameters(parameters ?? {}),
    name: readSupposedName(body),
  }
  const flat = flattenFacts(facts ?? {})
  const id = await writeSupposed(tx, hosts, sent)
  await storeFacts(tx, id, new Map([...(await factsOf(tx, id)), ...flat]))
  const supposedNames = Object.keys(parameters ?? {})
  const own = await rows<{ id: number }>(
    tx.db,
    sql`select id from parameters where host_id = ${id} and name = any (${supposedNames}::text[])`,
  )
  return { id, parameters: own.map((parameter) => parameter.id) }
}

async function factsOf(ctx: Context, id: number): Promise<Facts> {
  const found = await rows<{ name: string; value: string | null }>(
    ctx.db,
    sql`select n.name, v.value from fact_values v join fact_names n on n.id = v.fact_name_id where v.host_id = ${id}`,
  )
  return new Map(found.map(({ name, value }) => [name, value]))
}

function readObject(body: Sent, key: string): Sent {
  const value = body[key] ?? {}
  if (!isMembers(value)) throw badParameter(key, value, 'must be an object')
  return value
}
