import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { joinConditions, limitToVisible, permissionOf, type Registry } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { Questions } from './groups.ts'

/** The names of records in matches by attribute: all of them, and those that the caller may see. */
interface Names {
  readonly all: ReadonlyMap<string, ReadonlySet<string>>
  readonly seen: ReadonlyMap<string, ReadonlySet<string>>
}

/** Loads the names of all records that questions are about; of hosts, which are many, only those asked for. */
export async function loadAttributeNames(ctx: Context, registry: Registry, questions: Questions): Promise<Names> {
  const all = new Map<string, Set<string>>(FLAGS.map((flag) => [flag, new Set(['true', 'false'])]))
  const seen = new Map(all)
  for (const { attributes, resource: name, text } of NAMED) {
    const asked = attributes.filter((attribute) => questions.has(attribute))
    const resource = registry.get(name)
    if (!resource || asked.length === 0) continue
    const wanted = asked.flatMap((attribute) =>
      [...(questions.get(attribute) ?? [])].map((value) => value.toLowerCase()),
    )
    const among = name === 'host' ? sql`${text} = any (${wanted}::text[])` : sql`true`
    const mayBeSeen = joinConditions(limitToVisible(ctx, resource, permissionOf(resource, 'view')))
    const found = await rows<{ text: string; seen: boolean }>(
      ctx.db,
      sql`select distinct ${text} as text, ${mayBeSeen} as seen from ${sql.table(resource.table)} t where ${among}`,
    )
    for (const attribute of asked) {
      all.set(attribute, new Set(found.map((one) => one.text)))
      seen.set(attribute, new Set(found.flatMap((one) => (one.seen ? [one.text] : []))))
    }
  }
  return { all, seen }
}

const FLAGS = ['build', 'managed', 'enabled']

interface NamingAttribute {
  readonly attributes: readonly string[]
  readonly resource: string
  readonly text: Sql
}

const SYSTEM = sql`concat_ws(' ', t.name, concat_ws('.', t.major, nullif(t.minor, '')))`

/** The attributes whose values name records, as `attributesOf` defines the values. */
const NAMED: readonly NamingAttribute[] = [
  { attributes: ['fqdn', 'name', 'hostname'], resource: 'host', text: sql`t.name` },
  { attributes: ['os', 'operatingsystem'], resource: 'operatingsystem', text: SYSTEM },
  {
    attributes: ['operatingsystem_name'],
    resource: 'operatingsystem',
    text: sql`coalesce(nullif(t.description, ''), ${SYSTEM})`,
  },
  ...['hostgroup', 'organization', 'location'].map((name) => record(name, name, 'title')),
  ...['domain', 'environment', 'architecture', 'model', 'realm', 'medium', 'ptable', 'subnet'].map((name) =>
    record(name, name),
  ),
  record('subnet6', 'subnet'),
]

function record(attribute: string, resource: string, label = 'name'): NamingAttribute {
  return { attributes: [attribute, `${attribute}_name`], resource, text: sql.ref(`t.${label}`) }
}

const TREES = { hostgroup: 'Hostgroup', organization: 'Organization', location: 'Location' } as const

/**
 * Loads renames from audits: present titles by attribute and former title, with each part of a title. Only titles that
 * the caller may see are included.
 */
export async function loadRenames(
  ctx: Context,
  questions: Questions,
  { all, seen }: Names,
): Promise<(attribute: string, title: string) => string | null> {
  const now = new Map<string, string>()
  for (const [attribute, type] of Object.entries(TREES)) {
    const gone = [...(questions.get(attribute) ?? [])].filter((title) => !all.get(attribute)?.has(title))
    const parts = [...new Set(gone.flatMap((title) => title.split('/')))]
    if (parts.length === 0) continue
    const found = await rows<{ former: string; title: string }>(
      ctx.db,
      sql`select a.audited_changes -> 'name' ->> 0 as former, t.title from audits a
        join ${sql.table(`${attribute}s`)} t on t.id = a.auditable_id
        where a.auditable_type = ${type} and a.action = 'update' and a.audited_changes -> 'name' ->> 0 = any (${parts}::text[])
        order by a.id`,
    )
    const current = new Map(found.map(({ former, title }) => [former, title]))
    for (const title of gone) {
      const names = title.split('/')
      for (const [index, name] of names.entries()) {
        const renamed = [current.get(name), ...names.slice(index + 1)].join('/')
        if (current.has(name) && seen.get(attribute)?.has(renamed)) now.set(`${attribute}=${title}`, renamed)
      }
    }
  }
  return (attribute, title) => now.get(`${attribute}=${title}`) ?? null
}
