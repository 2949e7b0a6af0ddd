import { sql } from 'kysely'
import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { selectRepositoriesOfVersion } from './contains.ts'

/**
 * What views, versions, components and environments show of each other (content-api §8.3), as schemas and as the SQL that
 * yields it. The SQL takes and gives whole expressions; aliases within begin with `of_`, so that none means another.
 */
export const whole = (description: string) => z.int().meta({ description })
export const words = (description: string) => z.string().meta({ description })

/** The version with the highest number of a view: its id, null where there is none. */
export function selectLatestVersion(view: Sql): Sql {
  return sql`(select of_l.id from content_view_versions of_l where of_l.content_view_id = ${view} order by of_l.major desc, of_l.minor desc limit 1)`
}

/** The number of a version. */
export function selectVersionNumber(version: Sql): Sql {
  return sql`(select of_m.version from content_view_versions of_m where of_m.id = ${version})`
}

/** The version that a component (a row with this alias) stands for now: the chosen one, or the latest of its view. */
export function selectComponentVersion(alias: string): Sql {
  const own = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`coalesce(${own('content_view_version_id')}, ${selectLatestVersion(own('content_view_id'))})`
}

/** A moment within JSON, as answers write moments (spec 2.1). */
export function selectMoment(column: Sql): Sql {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')`
}

/** How long ago a moment was, in words. */
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

/** All rows of a statement as one JSON list; it selects `item`, and `place` to sort by. */
export function selectJsonList(statement: Sql): Sql {
  return sql`coalesce((select json_agg(of_rows.item order by of_rows.place) from (${statement}) of_rows), '[]')`
}

export const ENVIRONMENT = z.object({
  id: whole('Its id.'),
  name: words('Its name.'),
  label: words('Its label.'),
})

/** The environments that have a version. */
export function selectEnvironmentsOfVersion(version: Sql): Sql {
  return selectJsonList(sql`
    select json_build_object('id', of_e.id, 'name', of_e.name, 'label', of_e.label) as item, of_e.id as place
    from content_view_environments of_p join lifecycle_environments of_e on of_e.id = of_p.environment_id
    where of_p.content_view_version_id = ${version}`)
}

const VIEW_KEYS = {
  id: whole('Its id.'),
  name: words('Its name.'),
  label: words('Its label.'),
  description: z.string().nullable().meta({ description: 'For people.' }),
}

const ISSUED = {
  next_version: whole('The number that the next version gets.'),
  latest_version: z.string().nullable().meta({ description: 'The latest version.' }),
}

/** A view that a component is about, or that it is a part of. */
export const VIEW = z.object({ ...VIEW_KEYS, ...ISSUED, version_count: whole('How many versions it has.') })

export function selectViewObject(view: Sql): Sql {
  return sql`(
    select json_build_object('id', of_v.id, 'name', of_v.name, 'label', of_v.label, 'description', of_v.description,
      'next_version', of_v.next_version, 'latest_version', ${selectVersionNumber(selectLatestVersion(sql`of_v.id`))},
      'version_count', (select count(*) from content_view_versions of_c where of_c.content_view_id = of_v.id))
    from content_views of_v where of_v.id = ${view})`
}

const VERSION_KEYS = {
  id: whole('Its id.'),
  name: words('The name of the view and the number.'),
  content_view_id: whole('The view that it is of.'),
  version: words('Its number.'),
  environments: z.array(ENVIRONMENT).meta({ description: 'Where it is.' }),
  repositories: z.array(z.object(VIEW_KEYS)).meta({ description: 'The repositories that were published with it.' }),
}

/** The version that a component stands for. */
export const VERSION = z.object({
  ...VERSION_KEYS,
  content_view: z.object(VIEW_KEYS).meta({ description: 'The view.' }),
})

/** The same among the components of a view. */
export const COMPONENT_VERSION = z.object({
  ...VERSION_KEYS,
  content_view: z.object({ ...VIEW_KEYS, ...ISSUED }).meta({ description: 'The view.' }),
})

export function selectVersionObject(version: Sql, { issued = false } = {}): Sql {
  const more = issued
    ? sql`, 'next_version', of_v.next_version, 'latest_version', ${selectVersionNumber(selectLatestVersion(sql`of_v.id`))}`
    : sql``
  return sql`(
    select json_build_object('id', of_n.id, 'name', of_v.name || ' ' || of_n.version, 'content_view_id', of_v.id, 'version', of_n.version,
      'content_view', json_build_object('id', of_v.id, 'name', of_v.name, 'label', of_v.label, 'description', of_v.description${more}),
      'environments', ${selectEnvironmentsOfVersion(sql`of_n.id`)},
      'repositories', ${selectJsonList(sql`
        select json_build_object('id', of_r.id, 'name', of_r.name, 'label', of_r.label, 'description', of_r.description) as item, of_r.id as place
        from repositories of_r where of_r.id in ${selectRepositoriesOfVersion(sql`of_n.id`)}`)})
    from content_view_versions of_n join content_views of_v on of_v.id = of_n.content_view_id where of_n.id = ${version})`
}

const SHORT_VERSION = z.object({
  id: whole('Its id.'),
  version: words('Its number.'),
  description: z.string().nullable().meta({ description: 'For people.' }),
  published_at_words: words('How long ago it was published.'),
})

/** A component as it is shown alone, in its list and with its view. */
export const COMPONENT = {
  latest: z.boolean().meta({ description: 'Whether it always stands for the latest version of its view.' }),
  composite_content_view: VIEW.meta({ description: 'The view that it is a part of.' }),
  content_view: VIEW.meta({ description: 'The view that it is about.' }),
  content_view_version: VERSION.nullable().meta({
    description: 'The version that it stands for; null where its view has none yet.',
  }),
  component_content_view_versions: z.array(SHORT_VERSION).meta({ description: 'All versions that could be chosen.' }),
}

/** The versions that could be chosen for a component of this view, the latest first. */
export function selectChoosableVersions(view: Sql): Sql {
  return selectJsonList(sql`
    select json_build_object('id', of_n.id, 'version', of_n.version, 'description', of_n.description, 'published_at_words', ${selectAge(sql`of_n.created_at`)}) as item,
      array[-of_n.major, -of_n.minor] as place
    from content_view_versions of_n where of_n.content_view_id = ${view}`)
}
