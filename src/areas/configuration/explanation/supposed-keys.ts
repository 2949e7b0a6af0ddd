import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import { findByLabel, findResource, type Resource, type Sent } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { sql } from '../../../sql.ts'

/** Reads the name of a host that is only supposed. {@throws Failure} bad_parameter */
export function readSupposedName({ name = null }: Sent): string {
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

/** Collects what a host would be created with, names of other records as their ids. {@throws Failure} bad_parameter */
export async function collectHostKeys(
  ctx: Context,
  hosts: Resource,
  attributes: Sent,
): Promise<Record<string, unknown>> {
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
  if (typeof value !== 'string' || !isValidText(value))
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
