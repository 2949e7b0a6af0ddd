import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey } from '../../../kernel/index.ts'
import { ownObject } from '../../../records/nested.ts'
import { selectZonedMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'

/**
 * Selects the words in a column of the organization's subscriptions, without repetition; a value may be a
 * comma-separated list.
 */
function wordsOf(column: string, organization: string): Sql {
  return sql`coalesce((select json_agg(distinct w.word order by w.word) from subscriptions s
    cross join lateral regexp_split_to_table(${sql.ref(`s.${column}`)}, '\\s*,\\s*') as w (word)
    where s.organization_id = ${sql.ref(`${organization}.id`)} and w.word <> ''), '[]')`
}

const list = (description: string) => z.array(z.string()).meta({ description })

/** Readable keys of organizations about content (content-api §8.5). */
export const organizationReadable: Readonly<Record<string, ReadableKey>> = {
  service_levels: {
    schema: () => list('Service levels that its subscriptions have.'),
    sql: (organization) => sql`coalesce((
      select json_agg(distinct s.support_level order by s.support_level) from subscriptions s
      where s.organization_id = ${sql.ref(`${organization}.id`)} and s.support_level <> ''), '[]')`,
  },
  system_purposes: ownObject('Purposes of its subscriptions.', (_own, organization) => ({
    addons: [list('Add-ons.'), wordsOf('addons', organization)],
    roles: [list('Roles.'), wordsOf('roles', organization)],
    usage: [list('Usages.'), wordsOf('usage', organization)],
    support_level: [list('Service levels.'), wordsOf('support_level', organization)],
    support_type: [list('Types of support.'), wordsOf('support_type', organization)],
  })),
  owner_details: ownObject('Details of the organization for hosts.', (own, organization) => ({
    id: [z.string().meta({ description: 'Its id, as text.' }), sql`${own('id')}::text`],
    key: [z.string().meta({ description: 'Label of the organization, which hosts register with.' }), own('label')],
    displayName: [z.string().meta({ description: 'Its name.' }), own('name')],
    contentAccessMode: [
      z.string().meta({ description: 'org_environment or entitlement.' }),
      own('content_access_mode'),
    ],
    created: [z.string().meta({ description: 'Time of creation.' }), selectZonedMoment(`${organization}.created_at`)],
    updated: [
      z.string().meta({ description: 'Time of the last change.' }),
      selectZonedMoment(`${organization}.updated_at`),
    ],
    lastRefreshed: [z.null().meta({ description: 'Always null.' }), sql`null`],
    virt_who: [
      z.boolean().meta({ description: 'Whether some subscription is for machines of known hypervisors.' }),
      sql`exists (
        select from subscriptions s where s.organization_id = ${own('id')} and s.virt_who)`,
    ],
    upstreamConsumer: [z.null().meta({ description: 'Always null: nothing is imported.' }), sql`null`],
  })),
  default_content_view_id: {
    schema: () => z.int().meta({ description: 'The content view that has all of its content.' }),
    sql: (organization) =>
      sql`(select v.id from content_views v where v.organization_id = ${sql.ref(`${organization}.id`)} and v."default")`,
  },
  library_id: {
    schema: () => z.int().meta({ description: 'The first environment of all content.' }),
    sql: (organization) =>
      sql`(select e.id from lifecycle_environments e where e.organization_id = ${sql.ref(`${organization}.id`)} and e.library)`,
  },
}
