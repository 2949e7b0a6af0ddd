import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import { limitToVisible } from '../../../kernel/authorize.ts'
import { type Condition, joinConditions } from '../../../kernel/condition.ts'
import type { Input, Registry } from '../../../kernel/definition.ts'
import type { Answer } from '../../../kernel/facts.ts'
import { contentListQuery, listQuery, readContentPaging } from '../../../kernel/paging.ts'
import type { Row } from '../../../kernel/record.ts'
import { refuseBadSearch } from '../../../kernel/searching.ts'
import { searchOptionsOf } from '../../../kernel/stored-search.ts'
import {
  buildStatedSchema,
  type StatedKeys,
  selectStatedColumns,
  statedList,
  statedObject,
} from '../../../records/nested.ts'
import { isBlank } from '../../../search/blank.ts'
import { compileOrder, compileSearch } from '../../../search/index.ts'
import { joinAll } from '../../../search/sql.ts'
import { contentSearch } from './content-search.ts'
import { answerPage, buildListSchema, offsetOf } from './envelope.ts'
import { buildFilterQuery, type Filters, readFilters, readTruth } from './filtered.ts'

/** The record whose overrides are shown, with the table that holds them. */
export interface Overridden {
  readonly table: 'activation_key_content_overrides' | 'host_content_overrides'
  readonly own: 'activation_key_id' | 'host_id'
  readonly id: number
}

/** Which contents of an organization are listed, and with whose overrides. */
export interface ContentRequest {
  readonly organization: number
  /** On `t`, a row of product_contents. */
  readonly conditions: readonly Condition[]
  /** The record whose overrides are shown; null: defaults only. */
  readonly overridden: Overridden | null
}

/**
 * Lists a page of the contents of visible products in an organization, as repository sets (content-api §4.2), in two
 * statements.
 */
export async function listContents(
  ctx: Context,
  registry: Registry,
  input: Input,
  { organization, conditions, overridden }: ContentRequest,
): Promise<Answer> {
  const asked = readContentPaging(input.query, ctx.settings.entries_per_page)
  const { perPage, search, order } = asked
  const state = stateOf(overridden)
  const base = joinAll([
    joinConditions(conditions),
    joinConditions(readFilters(filtersOf(state, overridden), input)),
    sql`o.organization_id = ${organization} and c.content_type in ('yum', 'deb', 'ostree')`,
    limitToSeenProducts(ctx, registry),
  ])
  const found = search === null || isBlank(search) ? sql`true` : compileContentSearch(ctx, search)
  const counts = await row<{ total: number; subtotal: number }>(
    ctx.db,
    sql`select count(*) as total, count(*) filter (where ${found}) as subtotal ${FROM} where ${base}`,
  )
  const { total = 0, subtotal = 0 } = counts ?? {}
  const results = await rows<Row>(
    ctx.db,
    sql`select ${selectStatedColumns(KEYS, overridden)} ${FROM} where ${base} and ${found}
      order by ${selectOrder(ctx, order, state)}, c.id, o.id limit ${perPage} offset ${offsetOf(asked)}`,
  )
  return answerPage({ total, subtotal, results }, asked, 'name asc')
}

const FROM = sql`from product_contents t join contents c on c.id = t.content_id join products o on o.id = t.product_id`

/** Builds the query parameters of a page of contents. */
export function buildContentQuery(): Record<string, z.ZodType> {
  const { after: _after, ...numbered } = listQuery
  return { ...numbered, ...contentListQuery, ...buildFilterQuery(filtersOf(sql`true`, null)) }
}

function filtersOf(state: Sql, overridden: Overridden | null): Filters {
  const oneOf = (name: string, value: string, known: Readonly<Record<string, Sql>>): Sql => {
    const condition = known[value]
    if (condition) return condition
    throw badParameter(name, value, `must be one of ${Object.keys(known).join(', ')}`)
  }
  return {
    name: { doc: 'Only those with exactly this name.', where: (value) => sql`c.name = ${value}` },
    enabled: {
      doc: 'Only those that are, or are not, enabled by default.',
      where: (value) => sql`t.enabled = ${readTruth('enabled', value)}`,
    },
    with_active_subscription: {
      doc: 'True: only those of products with a subscription that can be used now.',
      where: (value) => (readTruth('with_active_subscription', value) ? ACTIVE : undefined),
    },
    status: {
      doc: 'enabled, disabled or overridden: what they are in the end.',
      where: (value) =>
        oneOf('status', value, {
          enabled: state,
          disabled: sql`not ${state}`,
          overridden: overridden ? sql`exists (select from ${overridesOf(overridden)})` : sql`false`,
        }),
    },
    repository_type: {
      doc: 'custom: only those made here; redhat: only those of a vendor.',
      where: (value) =>
        oneOf('repository_type', value, { custom: sql`c.vendor = 'Custom'`, redhat: sql`c.vendor <> 'Custom'` }),
    },
    product_id: { doc: 'Only those of this product.', where: (value) => sql`o.id::text = ${value}` },
  }
}

const ACTIVE = sql`exists (select from subscriptions s where s.start_date <= now() and s.end_date > now()
  and (s.product_id = o.id or exists (select from subscription_products n where n.subscription_id = s.id and n.product_id = o.id)))`

function limitToSeenProducts(ctx: Context, registry: Registry): Sql {
  const product = registry.get('product')
  const conditions = product ? limitToVisible(ctx, product, 'view_products') : []
  return conditions.length === 0
    ? sql`true`
    : sql`t.product_id in (select t.id from products t where ${joinConditions(conditions)})`
}

function compileContentSearch(ctx: Context, search: string): Sql {
  return refuseBadSearch(() => compileSearch(contentSearch, search, searchOptionsOf(ctx))).condition ?? sql`true`
}

/** The order: by the effective state if requested, else by a search field (content-api §4.2). */
function selectOrder(ctx: Context, order: string | null, state: Sql): Sql {
  const { order: by } = refuseBadSearch(() => compileOrder(contentSearch, order ?? 'name', searchOptionsOf(ctx)))
  const [field, direction] = (order ?? '').trim().split(/\s+/)
  if (field !== 'enabled_by_default') return by
  return /^desc$/i.test(direction ?? '') ? sql`${state} desc` : state
}

/** Selects the overrides of the record for the content of the row. */
function overridesOf({ table, own, id }: Overridden): Sql {
  return sql`${sql.table(table)} v where ${sql.ref(`v.${own}`)} = ${id} and v.content_id = c.id`
}

function enabledOf(overridden: Overridden | null): Sql {
  return overridden ? sql`(select v.value from ${overridesOf(overridden)} and v.name = 'enabled')` : sql`null::text`
}

/** Selects whether the content is enabled, with overrides. */
function stateOf(overridden: Overridden | null): Sql {
  return overridden ? sql`coalesce(${enabledOf(overridden)} = '1', t.enabled)` : sql`t.enabled`
}

const ITS_REPOSITORIES = sql`repositories r where r.content_id = c.id and r.product_id = o.id`

const text = (description: string) => z.string().meta({ description })
const whole = (description: string) => z.int().meta({ description })
const asNullable = (schema: z.ZodType, description: string) => schema.nullable().meta({ description })

/** The keys of a content of a product, with overrides, in the order of answers. */
const KEYS: StatedKeys<Overridden | null> = {
  enabled: [z.boolean().meta({ description: 'Whether it is enabled by default.' }), () => sql`t.enabled`],
  product: statedObject('The product that it is of.', {
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
    text('`1`, `0`, or `default` where nobody overrides whether it is enabled.'),
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
    asNullable(z.boolean(), 'Whether it is enabled instead; null: as by default.'),
    (overridden) => sql`${enabledOf(overridden)} = '1'`,
  ],
  redhat: [z.boolean().meta({ description: 'Whether a vendor made it.' }), () => sql`c.vendor <> 'Custom'`],
}

/** The schema of a content. */
export const CONTENT = buildStatedSchema(KEYS).meta({
  title: 'ProductContent',
  description: 'A content of a product.',
})

/** The schema of a page of contents. */
export const contentEnvelope: z.ZodObject = buildListSchema(CONTENT, 'A page of contents.')
