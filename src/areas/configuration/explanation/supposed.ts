import { isTemplate } from '../../../classification/cast.ts'
import { asService, type Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter, invalid } from '../../../errors.ts'
import {
  createRecord,
  limitToVisible,
  lock,
  permissionOf,
  type Resource,
  readDraft,
  type Sent,
  selectRecord,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
import { printExact, readExactly } from '../../../lib/lossless-json.ts'
import { isMembers, readObjects } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'
import { type Facts, flattenFacts, storeFacts } from '../../inventory/index.ts'
import { withOtherParameters } from '../../parameters/index.ts'
import { collectHostKeys, readSupposedName } from './supposed-keys.ts'

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

/**
 * Lists the items for sent parameters, with types that keep their values. Templates are refused: they could read what the
 * caller may not see.
 */
function listParameters(parameters: Sent): Sent[] {
  return Object.keys(parameters).map((name) => {
    const value = readExactly(parameters, name)
    const text = typeof value === 'string' ? value : printExact(value)
    if (isTemplate(text)) throw invalid({ parameters: [`${name}: templates are not rendered for what is supposed`] })
    return { name, parameter_type: typeOf(value, text), value: text }
  })
}

function typeOf(value: unknown, text: string): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return 'array'
  if (text.startsWith('{')) return 'hash'
  return /^-?\d+$/.test(text) ? 'integer' : text === 'null' ? 'json' : 'real'
}

/** Creates the supposed host, or changes the existing one of that name; the calling function rolls the transaction back. */
async function writeSupposed(tx: Context, hosts: Resource, sent: Sent): Promise<number> {
  const known = await selectRecord(
    tx.db,
    hosts,
    ['id'],
    String(sent.name).toLowerCase(),
    limitToVisible(tx, hosts, permissionOf(hosts, 'view')),
  )
  const allowed: Context = asService(tx)
  if (!known) {
    const draft = await readDraft(tx, hosts, await validate(tx, hosts, { managed: false, ...sent }), null)
    return createRecord(allowed, hosts, draft)
  }
  const stored = await lock(tx, hosts, known.id)
  const { name: _name, host_parameters_attributes: _items, ...others } = sent
  const items = readObjects(sent, 'host_parameters_attributes') ?? []
  const changes = {
    ...others,
    host_parameters_attributes: await withOtherParameters(tx, 'host', stored.id, items),
  }
  await updateStored(allowed, hosts, stored, await readDraft(tx, hosts, await validate(tx, hosts, changes), stored))
  return stored.id
}
