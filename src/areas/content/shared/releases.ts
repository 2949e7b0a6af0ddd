import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { selectRepositoriesOfEnvironment } from '../content-view/contains.ts'

/** Selects the id of the Library of an organization, which provides all its repositories. */
export function selectLibrary(organization: number): Sql {
  return sql`(select y.id from lifecycle_environments y where y.organization_id = ${organization} and y.library)`
}

/** Loads the releases (`8.4`, `7Server`) of the repositories in these environments, sorted (content-api §2.8). */
export async function loadReleasesIn(ctx: Context, environments: readonly Sql[]): Promise<string[]> {
  const repositories = environments.map(
    (environment) => sql`select repository_id from ${selectRepositoriesOfEnvironment(environment)} c`,
  )
  const found = await rows<{ minor: string }>(
    ctx.db,
    sql`select distinct r.minor from repositories r
      where r.minor <> '' and r.id in (${sql.join(repositories, sql` union all `)}) order by r.minor`,
  )
  return found.map(({ minor }) => minor)
}

const nothing = z.null().meta({ description: 'Always null.' })

/** The schema of a list of words, in the envelope of lists without search (content-api §1.2, §2.8). */
export const wordsEnvelope = z
  .object({
    total: z.int().meta({ description: 'Number of them.' }),
    subtotal: z.int().meta({ description: 'Equal to total: there is no search.' }),
    selectable: z.int().meta({ description: 'Equal to total: there is no search.' }),
    page: nothing,
    per_page: nothing,
    error: nothing,
    search: nothing,
    sort: z.object({ by: nothing, order: nothing }).meta({ description: 'Always null: this list has no other order.' }),
    results: z.array(z.string()).meta({ description: 'The words, sorted.' }),
  })
  .meta({ title: 'WordList', description: 'A list of words.' })

/** Presents a list of words as {@link wordsEnvelope} describes it. */
export function presentWords(words: readonly string[]): z.infer<typeof wordsEnvelope> {
  const total = words.length
  return {
    total,
    subtotal: total,
    selectable: total,
    page: null,
    per_page: null,
    error: null,
    search: null,
    sort: { by: null, order: null },
    results: [...words],
  }
}
