import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey } from '../../../kernel/index.ts'
import { buildNestedSchema, type NestedKeys, nestedObject, type Own, selectNested } from '../../../records/nested.ts'
import { sql } from '../../../sql.ts'
import { selectRepositoriesOfVersion } from './contains.ts'

// Schemas and SQL for views, versions, components and environments inside of each other's answers (content-api §8.3). SQL
// arguments and results are whole expressions; inner aliases begin with `of_`, so that they never hide outer ones.

/** Declares the schema of a whole number. */
export const whole = (description: string) => z.int().meta({ description })

/** Declares the schema of a text. */
export const words = (description: string) => z.string().meta({ description })

/** Selects the id of the version with the highest number of a view; null without one. */
export function selectLatestVersion(view: Sql): Sql {
  return sql`(select of_l.id from content_view_versions of_l where of_l.content_view_id = ${view} order by of_l.major desc, of_l.minor desc limit 1)`
}

/** Selects the number of a version, `major.minor`. */
export function selectVersionNumber(version: Sql): Sql {
  return sql`(select of_m.version from content_view_versions of_m where of_m.id = ${version})`
}

/**
 * Selects the version that a component (the row with this alias) stands for: the chosen one, or the latest of its view.
 */
export function selectComponentVersion(alias: string): Sql {
  const selectOwn = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`coalesce(${selectOwn('content_view_version_id')}, ${selectLatestVersion(selectOwn('content_view_id'))})`
}

/** Selects how long ago a time was, in words. */
export function selectAge(column: Sql): Sql {
  return sql`(
    select case
      when of_s < 30 then 'less than a minute'
      when of_s < 90 then '1 minute'
      when of_s < 2670 then round(of_s / 60)::text || ' minutes'
      when of_s < 5370 then 'about 1 hour'
      when of_s < 86370 then 'about ' || round(of_s / 3600)::text || ' hours'
      when of_s < 151170 then '1 day'
      when of_s < 2591970 then round(of_s / 86400)::text || ' days'
      when of_s < 5183970 then 'about 1 month'
      when of_s < 31536000 then round(of_s / 2592000)::text || ' months'
      when of_s < 47304000 then 'about 1 year'
      else 'about ' || round(of_s / 31536000)::text || ' years' end
    from (select extract(epoch from now() - ${column}) as of_s) of_ago)`
}

/** Selects all rows of a statement as one JSON list. The statement selects `item`, and `place` to order by. */
export function selectJsonList(statement: Sql): Sql {
  return sql`coalesce((select json_agg(of_rows.item order by of_rows.place) from (${statement}) of_rows), '[]')`
}

/** A key that lists nested records; `describe` yields their keys and rows for one record. */
export function listOf(description: string, describe: (own: Own) => ItemRows): ReadableKey {
  return {
    schema: () => z.array(buildNestedSchema(describe(sql.ref).keys)).meta({ description }),
    sql: (alias) => selectItems(describe((column) => sql.ref(`${alias}.${column}`))),
  }
}

interface ItemRows {
  readonly keys: NestedKeys
  readonly from: Sql
  readonly order: Sql
}

function selectItems({ keys, from, order }: ItemRows): Sql {
  return selectJsonList(sql`
    select ${selectNested(keys)} as item, ${order} as place
    from ${from}`)
}

/** The keys of a row with this alias: id, name and label. */
export const labelKeysOf = (alias: string) =>
  ({
    id: [whole('Its id.'), sql.raw(`${alias}.id`)],
    name: [words('Its name.'), sql.raw(`${alias}.name`)],
    label: [words('Its label.'), sql.raw(`${alias}.label`)],
  }) satisfies NestedKeys

/** The schema of a lifecycle environment inside of another answer. */
export const ENVIRONMENT = buildNestedSchema(labelKeysOf('of_e'))

/** Selects the environments that have a version. */
export function selectEnvironmentsOfVersion(version: Sql): Sql {
  return selectItems({
    keys: labelKeysOf('of_e'),
    from: sql`content_view_environments of_p join lifecycle_environments of_e on of_e.id = of_p.environment_id
    where of_p.content_view_version_id = ${version}`,
    order: sql`of_e.id`,
  })
}

const described = (alias: string): NestedKeys => ({
  ...labelKeysOf(alias),
  description: [z.string().nullable().meta({ description: 'Optional note.' }), sql.raw(`${alias}.description`)],
})

const issued = (): NestedKeys => ({
  next_version: [whole('The number that the next version gets.'), sql`of_v.next_version`],
  latest_version: [
    z.string().nullable().meta({ description: 'The latest version.' }),
    selectVersionNumber(selectLatestVersion(sql`of_v.id`)),
  ],
})

const viewKeys = (): NestedKeys => ({
  ...described('of_v'),
  ...issued(),
  version_count: [
    whole('Number of versions.'),
    sql`(select count(*) from content_view_versions of_c where of_c.content_view_id = of_v.id)`,
  ],
})

/** The schema of a view that is a component or has one. */
const VIEW = buildNestedSchema(viewKeys())

/** Selects the object of a view with this id; null without one. */
export function selectViewObject(view: Sql): Sql {
  return sql`(
    select ${selectNested(viewKeys())}
    from content_views of_v where of_v.id = ${view})`
}

const versionKeys = (view: NestedKeys): NestedKeys => ({
  id: [whole('Its id.'), sql`of_n.id`],
  name: [words('The name of the view and the number.'), sql`of_v.name || ' ' || of_n.version`],
  content_view_id: [whole('The content view.'), sql`of_v.id`],
  version: [words('Its number.'), sql`of_n.version`],
  content_view: nestedObject('The view.', view),
  environments: [
    z.array(ENVIRONMENT).meta({ description: 'Lifecycle environments that have the version.' }),
    selectEnvironmentsOfVersion(sql`of_n.id`),
  ],
  repositories: [
    z
      .array(buildNestedSchema(described('of_r')))
      .meta({ description: 'The repositories that were published with it.' }),
    selectItems({
      keys: described('of_r'),
      from: sql`repositories of_r where of_r.id in ${selectRepositoriesOfVersion(sql`of_n.id`)}`,
      order: sql`of_r.id`,
    }),
  ],
})
const plainVersion = (): NestedKeys => versionKeys(described('of_v'))
const issuedVersion = (): NestedKeys => versionKeys({ ...described('of_v'), ...issued() })

/** The schema of the version that a component stands for. */
const VERSION = buildNestedSchema(plainVersion())

/** The schema of a version in the components of a composite view. */
export const COMPONENT_VERSION = buildNestedSchema(issuedVersion())

/** Selects the object of a version with this id; with `isIssued`, its view also shows its latest and next version. */
export function selectVersionObject(version: Sql, { isIssued = false } = {}): Sql {
  return sql`(
    select ${selectNested(isIssued ? issuedVersion() : plainVersion())}
    from content_view_versions of_n join content_views of_v on of_v.id = of_n.content_view_id where of_n.id = ${version})`
}

const choosable = (): NestedKeys => ({
  id: [whole('Its id.'), sql`of_n.id`],
  version: [words('Its number.'), sql`of_n.version`],
  description: [z.string().nullable().meta({ description: 'Optional note.' }), sql`of_n.description`],
  published_at_words: [words('Time passed since the publication, in words.'), selectAge(sql`of_n.created_at`)],
})

/** The schemas of components: alone, in lists, and in their view. */
export const COMPONENT = {
  latest: z.boolean().meta({ description: 'Whether it always stands for the latest version of its view.' }),
  composite_content_view: VIEW.meta({ description: 'The composite view.' }),
  content_view: VIEW.meta({ description: 'The content view.' }),
  content_view_version: VERSION.nullable().meta({
    description: 'The version that it stands for; null where its view has none yet.',
  }),
  component_content_view_versions: z
    .array(buildNestedSchema(choosable()))
    .meta({ description: 'All versions that could be chosen.' }),
}

/** Selects the versions that a component of this view could have, the latest first. */
export function selectChoosableVersions(view: Sql): Sql {
  return selectItems({
    keys: choosable(),
    from: sql`content_view_versions of_n where of_n.content_view_id = ${view}`,
    order: sql`array[-of_n.major, -of_n.minor]`,
  })
}
