import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { buildStatedSchema, type StatedKeys, statedList, statedObject } from '../../../records/nested.ts'
import { sql } from '../../../sql.ts'
import { buildListSchema } from './envelope.ts'

/** The record whose overrides are shown, with the table that holds them. */
export interface Overridden {
  readonly table: 'activation_key_content_overrides' | 'host_content_overrides'
  readonly own: 'activation_key_id' | 'host_id'
  readonly id: number
}

/** Yields a `from` clause with condition: the overrides `v` of the record for the content `c`. */
export function overridesOf({ table, own, id }: Overridden): Sql {
  return sql`${sql.table(table)} v where ${sql.ref(`v.${own}`)} = ${id} and v.content_id = c.id`
}

function enabledOf(overridden: Overridden | null): Sql {
  return overridden ? sql`(select v.value from ${overridesOf(overridden)} and v.name = 'enabled')` : sql`null::text`
}

/** Selects whether the content is enabled, with overrides. */
export function stateOf(overridden: Overridden | null): Sql {
  return overridden ? sql`coalesce(${enabledOf(overridden)} = '1', t.enabled)` : sql`t.enabled`
}

const ITS_REPOSITORIES = sql`repositories r where r.content_id = c.id and r.product_id = o.id`

const text = (description: string) => z.string().meta({ description })
const whole = (description: string) => z.int().meta({ description })
const asNullable = (schema: z.ZodType, description: string) => schema.nullable().meta({ description })

/** The keys of a content of a product, with overrides, in the order of answers. */
export const KEYS: StatedKeys<Overridden | null> = {
  enabled: [z.boolean().meta({ description: 'Whether it is enabled by default.' }), () => sql`t.enabled`],
  product: statedObject('Its product.', {
    id: [whole('Id of the product.'), () => sql`o.id`],
    name: [text('Name of the product.'), () => sql`o.name`],
  }),
  content: statedObject('The same in other words.', {
    id: [whole('Its id.'), () => sql`c.id`],
    name: [text('Its name.'), () => sql`c.name`],
    label: [text('Label of the content, which overrides use.'), () => sql`c.label`],
    vendor: [text('Vendor of the content.'), () => sql`c.vendor`],
    content_type: [text('Content type.'), () => sql`c.content_type`],
    content_url: [asNullable(z.string(), 'Path of the content.'), () => sql`c.content_url`],
    gpg_url: [asNullable(z.string(), 'URL of the GPG key that the content is signed with.'), () => sql`c.gpg_url`],
  }),
  repositories: statedList('Repositories that have it.', {
    keys: {
      id: [whole('Id of the repository.'), () => sql`r.id`],
      name: [text('Name of the repository.'), () => sql`r.name`],
      arch: [text('Architecture that it is for.'), () => sql`r.arch`],
      releasever: [asNullable(z.string(), 'Release that it is for.'), () => sql`r.minor`],
    },
    order: sql`r.name, r.id`,
    from: () => ITS_REPOSITORIES,
  }),
  name: [text('Its name.'), () => sql`c.name`],
  vendor: [text('Vendor of the content; Custom for content of the organization itself.'), () => sql`c.vendor`],
  label: [text('Label of the content, which overrides use.'), () => sql`c.label`],
  id: [text('Its id, as text.'), () => sql`c.id::text`],
  type: [text('Content type.'), () => sql`c.content_type`],
  gpgUrl: [asNullable(z.string(), 'URL of the GPG key that the content is signed with.'), () => sql`c.gpg_url`],
  contentUrl: [asNullable(z.string(), 'Path of the content, below the root of all content.'), () => sql`c.content_url`],
  archRestricted: [
    asNullable(z.string(), 'Architectures that it is for.'),
    () => sql`(select string_agg(distinct r.arch, ',') from ${ITS_REPOSITORIES})`,
  ],
  osRestricted: [
    asNullable(z.string(), 'Versions of the operating system that it is for.'),
    () => sql`(select string_agg(distinct y.version, ',') from repositories r, unnest(r.os_versions) as y (version)
      where r.content_id = c.id and r.product_id = o.id)`,
  ],
  override: [
    text('`1`, `0`, or `default` without an override.'),
    (overridden) => sql`coalesce(${enabledOf(overridden)}, 'default')`,
  ],
  overrides: statedList('All properties that are overridden.', {
    keys: {
      name: [text('The property.'), () => sql`v.name`],
      value: [
        z.union([z.string(), z.boolean()]).meta({ description: 'Its value; true or false for `enabled`.' }),
        () => sql`case when v.name = 'enabled' then to_json(v.value = '1') else to_json(v.value) end`,
      ],
    },
    order: sql`v.name`,
    from: (overridden) => (overridden ? overridesOf(overridden) : null),
  }),
  enabled_content_override: [
    asNullable(z.boolean(), 'The override: enabled or not; null: the default.'),
    (overridden) => sql`${enabledOf(overridden)} = '1'`,
  ],
  redhat: [z.boolean().meta({ description: 'Whether it comes from a vendor.' }), () => sql`c.vendor <> 'Custom'`],
}

/** The schema of a content. */
export const CONTENT = buildStatedSchema(KEYS).meta({
  title: 'ProductContent',
  description: 'A content of a product.',
})

/** The schema of a page of contents. */
export const contentEnvelope: z.ZodObject = buildListSchema(CONTENT, 'A page of contents.')
