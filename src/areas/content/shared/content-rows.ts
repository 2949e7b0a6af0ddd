import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import { limitToVisible } from '../../../kernel/authorize.ts'
import { type Condition, joinConditions } from '../../../kernel/condition.ts'
import type { Registry } from '../../../kernel/definition.ts'
import { contentListQuery, listQuery, readContentPaging } from '../../../kernel/paging.ts'
import type { Row } from '../../../kernel/record.ts'
import type { Answer, Input } from '../../../kernel/route.ts'
import { refuseBadSearch } from '../../../kernel/searching.ts'
import { searchOptions } from '../../../kernel/stored-search.ts'
import { isBlank } from '../../../search/blank.ts'
import { compileOrder, compileSearch } from '../../../search/index.ts'
import { all } from '../../../search/sql.ts'
import { contentSearch } from './content-search.ts'
import { answerPage, buildListSchema, offsetOf } from './envelope.ts'
import { type Filters, filterQuery, readFilters, readTruth } from './filtered.ts'

/** Whose overrides the rows tell: a record that has rows in such a table. */
export interface Overridden {
  readonly table: 'activation_key_content_overrides' | 'host_content_overrides'
  readonly own: 'activation_key_id' | 'host_id'
  readonly id: number
}

export interface ContentRequest {
  readonly organization: number
  /** Over `t`, a row of product_contents. */
  readonly conditions: readonly Condition[]
  /** Whose overrides are shown; without, contents are as they come. */
  readonly overridden: Overridden | null
}

/**
 * A page of the contents of the products that the caller may see in an organization, as repository sets (content-api
 * §4.2): two statements, whatever the size.
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
  const base = all([
    joinConditions(conditions),
    joinConditions(readFilters(filtersOf(state, overridden), input)),
    sql`o.organization_id = ${organization} and c.content_type in ('yum', 'deb', 'ostree')`,
    seenProducts(ctx, registry),
  ])
  const found = search === null || isBlank(search) ? sql`true` : searched(ctx, search)
  const counts = await row<{ total: number; subtotal: number }>(
    ctx.db,
    sql`select count(*) as total, count(*) filter (where ${found}) as subtotal ${FROM} where ${base}`,
  )
  const { total = 0, subtotal = 0 } = counts ?? {}
  const results = await rows<Row>(
    ctx.db,
    sql`select ${columns(overridden)} ${FROM} where ${base} and ${found}
      order by ${ordered(ctx, order, state)}, c.id, o.id limit ${perPage} offset ${offsetOf(asked)}`,
  )
  return answerPage({ total, subtotal, results }, asked, 'name asc')
}

const FROM = sql`from product_contents t join contents c on c.id = t.content_id join products o on o.id = t.product_id`

/** Query keys of such a page. */
export function contentQuery(): Record<string, z.ZodType> {
  const { after: _after, ...numbered } = listQuery
  return { ...numbered, ...contentListQuery, ...filterQuery(filtersOf(sql`true`, null)) }
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
          overridden: overridden ? sql`exists (select ${from(overridden)})` : sql`false`,
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

function seenProducts(ctx: Context, registry: Registry): Sql {
  const product = registry.get('product')
  const conditions = product ? limitToVisible(ctx, product, 'view_products') : []
  return conditions.length === 0
    ? sql`true`
    : sql`t.product_id in (select t.id from products t where ${joinConditions(conditions)})`
}

function searched(ctx: Context, search: string): Sql {
  return refuseBadSearch(() => compileSearch(contentSearch, search, searchOptions(ctx))).condition ?? sql`true`
}

/** By the state in the end where that is asked for, else by a field of the search (content-api §4.2). */
function ordered(ctx: Context, order: string | null, state: Sql): Sql {
  const { order: by } = refuseBadSearch(() => compileOrder(contentSearch, order ?? 'name', searchOptions(ctx)))
  const [field, direction] = (order ?? '').trim().split(/\s+/)
  if (field !== 'enabled_by_default') return by
  return /^desc$/i.test(direction ?? '') ? sql`${state} desc` : state
}

/** The overrides of whoever is asked about, for the content of the row. */
function from({ table, own, id }: Overridden): Sql {
  return sql`from ${sql.table(table)} v where ${sql.ref(`v.${own}`)} = ${id} and v.content_id = c.id`
}

function enabledOf(overridden: Overridden | null): Sql {
  return overridden ? sql`(select v.value ${from(overridden)} and v.name = 'enabled')` : sql`null::text`
}

/** Whether the content is enabled in the end. */
function stateOf(overridden: Overridden | null): Sql {
  return overridden ? sql`coalesce(${enabledOf(overridden)} = '1', t.enabled)` : sql`t.enabled`
}

const ITS_REPOSITORIES = sql`from repositories r where r.content_id = c.id and r.product_id = o.id`

function columns(overridden: Overridden | null): Sql {
  const overrides = overridden
    ? sql`coalesce((select json_agg(json_build_object('name', v.name,
        'value', case when v.name = 'enabled' then to_json(v.value = '1') else to_json(v.value) end) order by v.name) ${from(overridden)}), '[]')`
    : sql`'[]'::json`
  return sql`t.enabled,
    json_build_object('id', o.id, 'name', o.name) as product,
    json_build_object('id', c.id, 'name', c.name, 'label', c.label, 'vendor', c.vendor, 'content_type', c.content_type,
      'content_url', c.content_url, 'gpg_url', c.gpg_url) as content,
    coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'arch', r.arch, 'releasever', r.minor) order by r.name, r.id)
      ${ITS_REPOSITORIES}), '[]') as repositories,
    c.name, c.vendor, c.label, c.id::text as id, c.content_type as type, c.gpg_url as "gpgUrl", c.content_url as "contentUrl",
    (select string_agg(distinct r.arch, ',') ${ITS_REPOSITORIES}) as "archRestricted",
    (select string_agg(distinct y.version, ',') from repositories r, unnest(r.os_versions) as y (version)
      where r.content_id = c.id and r.product_id = o.id) as "osRestricted",
    coalesce(${enabledOf(overridden)}, 'default') as override,
    ${overrides} as overrides,
    ${enabledOf(overridden)} = '1' as enabled_content_override,
    c.vendor <> 'Custom' as redhat`
}

const text = (description: string) => z.string().meta({ description })
const whole = (description: string) => z.int().meta({ description })
const orNull = (schema: z.ZodType, description: string) => schema.nullable().meta({ description })

/** A content of a product, with what somebody has instead of its properties. */
export const CONTENT = z
  .object({
    id: text('Its id, as text.'),
    name: text('Its name.'),
    label: text('What overrides call it by.'),
    vendor: text('Who made it; Custom for what was made here.'),
    type: text('What kind of content it is.'),
    gpgUrl: orNull(z.string(), 'Where the key is that it is signed with.'),
    contentUrl: orNull(z.string(), 'Where it is, below the root of all content.'),
    enabled: z.boolean().meta({ description: 'Whether it is enabled by default.' }),
    product: z
      .object({ id: whole('Id of the product.'), name: text('Name of the product.') })
      .meta({ description: 'The product that it is of.' }),
    content: z
      .object({
        id: whole('Its id.'),
        name: text('Its name.'),
        label: text('What overrides call it by.'),
        vendor: text('Who made it.'),
        content_type: text('What kind of content it is.'),
        content_url: orNull(z.string(), 'Where it is.'),
        gpg_url: orNull(z.string(), 'Where the key is that it is signed with.'),
      })
      .meta({ description: 'The same in other words.' }),
    repositories: z
      .array(
        z.object({
          id: whole('Id of the repository.'),
          name: text('Name of the repository.'),
          arch: text('Architecture that it is for.'),
          releasever: orNull(z.string(), 'Release that it is for.'),
        }),
      )
      .meta({ description: 'Repositories that have it.' }),
    archRestricted: orNull(z.string(), 'Architectures that it is for.'),
    osRestricted: orNull(z.string(), 'Versions of the operating system that it is for.'),
    override: text('`1`, `0`, or `default` where nobody overrides whether it is enabled.'),
    overrides: z
      .array(
        z.object({
          name: text('The property.'),
          value: z.union([z.string(), z.boolean()]).meta({ description: 'Its value; true or false for `enabled`.' }),
        }),
      )
      .meta({ description: 'All properties that are overridden.' }),
    enabled_content_override: orNull(z.boolean(), 'Whether it is enabled instead; null: as by default.'),
    redhat: z.boolean().meta({ description: 'Whether a vendor made it.' }),
  })
  .meta({ title: 'ProductContent', description: 'A content of a product.' })

/** A page of contents. */
export const contentEnvelope: z.ZodObject = buildListSchema(CONTENT, 'A page of contents.')
