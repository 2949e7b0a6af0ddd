import type { SearchField } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'

/** The links of an interface to other records. */
export const LINKS = ['domain', 'subnet', 'subnet6'] as const

/** The search fields of interfaces. */
export function buildInterfaceSearch(): SearchField[] {
  const texts = ['name', 'identifier', 'mac', 'attached_to', 'tag'] as const
  const flags = ['primary', 'provision', 'managed', 'virtual'] as const
  return [
    ...texts.map((name): SearchField => ({ name, type: 'text', column: name, nullable: true })),
    ...(['ip', 'ip6'] as const).map(
      (name): SearchField => ({
        name,
        type: 'text',
        column: name,
        expression: (alias) => sql`host(${sql.ref(`${alias}.${name}`)})`,
        nullable: true,
      }),
    ),
    { name: 'type', type: 'text', column: 'type', explicit: true },
    ...flags.map((name): SearchField => ({ name, type: 'boolean', column: name, explicit: true })),
    ...LINKS.map(
      (name): SearchField => ({
        name,
        type: 'text',
        column: 'name',
        through: [{ table: name === 'domain' ? 'domains' : 'subnets', column: 'id', previous: `${name}_id` }],
        nullable: true,
        explicit: true,
      }),
    ),
  ]
}
