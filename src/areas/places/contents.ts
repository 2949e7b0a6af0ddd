import { z } from 'zod'
import {
  type Field,
  type FieldPosition,
  findReadableKey,
  link,
  links,
  listNamed,
  type Resource,
  selectShown,
  type Taxonomy,
  text,
} from '../../kernel/index.ts'
import { buildNestedSchema, type NestedKeys, selectNested } from '../../records/nested.ts'
import { words } from '../../records/words.ts'
import { sql } from '../../sql.ts'
import { parameterParts } from '../parameters/index.ts'

interface Contents {
  readonly target: string
  /** The word for the target in names of link tables and their columns; default: the target's name. */
  readonly linkedAs?: string
  readonly show: readonly string[]
}

/** The resources that can belong to a location or an organization, by key, in the order of answers (core-api §11). */
export const CONTENTS = {
  smart_proxies: { target: 'smart_proxy', show: ['name', 'id', 'url'] },
  subnets: { target: 'subnet', show: ['id', 'name', 'description', 'network_address'] },
  compute_resources: { target: 'compute_resource', show: ['id', 'name', 'provider'] },
  media: { target: 'medium', show: ['id', 'name'] },
  ptables: {
    target: 'ptable',
    show: ['description', 'os_family', 'created_at', 'updated_at', 'name', 'id'],
  },
  provisioning_templates: {
    target: 'provisioning_template',
    linkedAs: 'template',
    show: ['id', 'name', 'template_kind_id', 'template_kind_name'],
  },
  domains: { target: 'domain', show: ['id', 'name'] },
  realms: { target: 'realm', show: ['id', 'name', 'realm_proxy_id', 'realm_type'] },
  environments: { target: 'environment', show: ['name', 'id'] },
  hostgroups: { target: 'hostgroup', show: ['id', 'name', 'title', 'description'] },
} as const satisfies Readonly<Record<string, Contents>>

/** Types of records that a location or organization can take in as a whole. */
const TYPES = [
  'User',
  'SmartProxy',
  'Subnet',
  'ComputeResource',
  'Medium',
  'Ptable',
  'ProvisioningTemplate',
  'Domain',
  'Realm',
  'Environment',
  'Hostgroup',
] as const

/** The fields that locations and organizations share. */
export function buildTreeFields(kind: Taxonomy['kind']) {
  return {
    name: text({ required: true, search: 'free', doc: 'Unique among its siblings (case-insensitive).' }),
    description: text({ max: 65_535, search: 'explicit', doc: 'Optional note.' }),
    parent: link(kind, { onDelete: 'around', doc: `The parent ${kind}.` }),
    title: text({ readOnly: true, required: true, search: 'free', doc: 'Names from the root, joined by slashes.' }),
    ignore_types: words({ of: TYPES, column: 'select_all_types', doc: 'Types whose records all belong to it.' }),
    parameters: parameterParts(kind),
  }
}

/** The fields of organizations and of locations. */
export type PlaceFields = ReturnType<typeof buildTreeFields> &
  ContentFields & { readonly users: Field<readonly number[]> }

type ContentFields = { readonly [Name in keyof typeof CONTENTS]: Field<readonly number[]> }

/**
 * One field for each kind of contents. Writes set the records directly in the place; answers add those of its
 * ancestors.
 */
export function buildContentFields({ kind, plural }: Taxonomy): ContentFields {
  const build = (name: keyof typeof CONTENTS) => buildContentsField(name, CONTENTS[name], kind, plural)
  return {
    smart_proxies: build('smart_proxies'),
    subnets: build('subnets'),
    compute_resources: build('compute_resources'),
    media: build('media'),
    ptables: build('ptables'),
    provisioning_templates: build('provisioning_templates'),
    domains: build('domains'),
    realms: build('realms'),
    environments: build('environments'),
    hostgroups: build('hostgroups'),
  }
}

/** A field that shows the members of a place and of its ancestors: they see what is in both (core-api §11). */
export function membersField({ kind, plural }: Taxonomy): Field<readonly number[]> {
  return buildContentsField('users', { target: 'user', show: ['id', 'login', 'description'] }, kind, plural)
}

function buildContentsField(name: string, { target, linkedAs = target, show }: Contents, kind: string, plural: string) {
  const through = `${linkedAs}_${plural}`
  const other = `${linkedAs}_id`
  const doc = `The ${name.replaceAll('_', ' ')} that belong to it.`
  const field: Field<readonly number[]> = {
    ...links(target, { through, other, show, doc }),
    readable: (at: FieldPosition) => ({
      [name]: {
        schema: () => z.array(buildNestedSchema(buildShownKeys(at.target(target), show))).meta({ description: doc }),
        names: () => listNamed(at.target(target), show),
        sql: (alias) => {
          const { table, label = 'id' } = at.target(target)
          const item = selectNested(buildShownKeys(at.target(target), show))
          const own = sql.ref(`l.${kind}_id`)
          return sql`coalesce((
            select json_agg(${item} order by ${sql.ref(`x.${label}`)}, x.id)
            from (
              select ${sql.ref(`l.${other}`)} as id, bool_or(${own} = ${sql.ref(`${alias}.id`)}) as directly
              from ${sql.table(through)} l
              where ${own} = ${sql.ref(`${alias}.id`)} or ${own} = any (${sql.ref(`${alias}.ancestor_ids`)})
              group by 1
            ) linked join ${sql.table(table)} x on x.id = linked.id), '[]')`
        },
      },
    }),
  }
  return field
}

/** The keys of a record `x` among the contents; the row `linked` says whether it is directly in the place. */
function buildShownKeys(target: Resource, show: readonly string[]): NestedKeys {
  const shown = show.map((name) => [name, findReadableKey(target, name)] as const)
  return {
    ...Object.fromEntries(shown.map(([name, key]) => [name, [key.schema(), selectShown(key)]])),
    inherited: [
      z.boolean().meta({ description: 'Not of its own: it comes from what it lies in.' }),
      sql`not linked.directly`,
    ],
  }
}
