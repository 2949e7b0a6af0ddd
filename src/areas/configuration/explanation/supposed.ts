import { sql } from 'kysely'
import { isTemplate } from '../../../classification/cast.ts'
import { asService, type Context } from '../../../context.ts'
import { readExactly } from '../../../database/exact.ts'
import { row, rows } from '../../../database/sql.ts'
import { isStorable } from '../../../database/storable.ts'
import { badParameter, invalid } from '../../../errors.ts'
import { limitToVisible, permissionOf } from '../../../kernel/authorize.ts'
import type { Resource } from '../../../kernel/definition.ts'
import { readDraft, validate } from '../../../kernel/input.ts'
import { lock } from '../../../kernel/operations/change.ts'
import { createRecord } from '../../../kernel/operations/create.ts'
import { updateStored } from '../../../kernel/operations/update.ts'
import type { Sent } from '../../../kernel/record.ts'
import { findByLabel } from '../../../kernel/reference.ts'
import { findResource } from '../../../kernel/registry.ts'
import { selectRecord } from '../../../kernel/store/select.ts'
import { isMembers, readObjects } from '../../../values.ts'
import { type Facts, flattenFacts, storeFacts } from '../../inventory/index.ts'
import { withOtherParameters } from '../../parameters/index.ts'

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
    name: nameIn(body),
  }
  const flat = flattenFacts(facts ?? {})
  const id = await write(tx, hosts, sent)
  await storeFacts(tx, id, new Map([...(await factsOf(tx, id)), ...flat]))
  const supposedNames = Object.keys(parameters ?? {})
  const own = await rows<{ id: number }>(
    tx.db,
    sql`select id from parameters where host_id = ${id} and name = any (${supposedNames}::text[])`,
  )
  return { id, parameters: own.map((parameter) => parameter.id) }
}

function nameIn({ name = null }: Sent): string {
  if (name === null || name === '') return NAME
  if (typeof name !== 'string') throw badParameter('name', name, 'must be text')
  return name
}

/** A name that no real host has. */
const NAME = 'supposed.invalid'

/** The links of hosts by the attribute that orders of matchers use for them. */
const LINKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...Object.fromEntries(
      ['hostgroup', 'organization', 'location', 'domain', 'environment', 'architecture', 'model', 'realm'].map(
        (name) => [name, name],
      ),
    ),
    medium: 'medium',
    ptable: 'ptable',
    subnet: 'subnet',
    subnet6: 'subnet6',
    os: 'operatingsystem',
    operatingsystem: 'operatingsystem',
  }),
)

/** The keys of hosts that can change a classification. */
const KEYS = new Set([
  ...[...LINKS.values()].flatMap((name) => [`${name}_id`, `${name}_name`]),
  'certname',
  'comment',
  'ip',
  'ip6',
  'mac',
  'build',
  'enabled',
  'managed',
  'owner_id',
  'owner_type',
  'configclass_ids',
  'config_group_ids',
])

async function collectHostKeys(ctx: Context, hosts: Resource, attributes: Sent): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(attributes)) {
    const link = LINKS.get(key)
    if (!link && !KEYS.has(key)) throw badParameter(`attributes.${key}`, value, ALLOWED)
    if (link) found[`${link}_id`] = value === null ? null : await idOf(ctx, hosts, link, value)
    else found[key] = value
  }
  return found
}

const ALLOWED = `must be one of ${[...LINKS.keys(), ...KEYS].join(', ')}`

async function idOf(ctx: Context, { registry }: Resource, link: string, value: unknown): Promise<number | undefined> {
  if (typeof value !== 'string' || !isStorable(value))
    throw badParameter(`attributes.${link}`, value, 'must be a name, or null')
  const target = findResource(registry, link === 'subnet6' ? 'subnet' : link)
  if (link === 'operatingsystem') {
    // Matchers use name and version, people the description.
    const named = sql`concat_ws(' ', name, concat_ws('.', major, nullif(minor, '')))`
    const system = await row<{ title: string }>(
      ctx.db,
      sql`select title from operatingsystems where ${named} = ${value}`,
    )
    return (await findByLabel(ctx, target, [system?.title ?? value]))[0]
  }
  return (await findByLabel(ctx, target, [value]))[0]
}

/**
 * The items for sent parameters, with types that keep their values. Templates are refused: they could read what the
 * caller may not see.
 */
function listParameters(parameters: Sent): Sent[] {
  return Object.keys(parameters).map((name) => {
    const value = readExactly(parameters, name)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
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

async function write(tx: Context, hosts: Resource, sent: Sent): Promise<number> {
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
