import type { Context } from '../../../context.ts'
import { lockName } from '../../../database/savepoints.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Draft, Stored, WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { refuseForeignCredentials, withoutOtherProxy } from './fetching.ts'
import type { RepositoryFields } from './fields.ts'
import { loadPublishedVersions } from './published.ts'
import { DOWNLOADED, SUBSCRIBABLE } from './types.ts'

/** A repository with the id of its content, which is no field. */
type StoredRepository = Stored<RepositoryFields> & { readonly content_id: number | null }

/** Creates content for repositories of packages, which overrides enable and disable (content-api §8.4). */
export const repositoryWrites: WriteWrapper<RepositoryFields> = {
  async create(ctx, draft, next) {
    await refuseForeignCredentials(ctx, draft, draft.product, null)
    const id = await next(withRepositoryDefaults(draft))
    if (SUBSCRIBABLE.includes(draft.content_type)) await openContent(ctx, id)
    return id
  },
  async update(ctx, stored: StoredRepository, draft, next) {
    await refuseForeignCredentials(ctx, draft, stored.product_id, stored.id)
    await next(withoutOtherProxy(draft))
    if (!draft.name || draft.name === stored.name || stored.content_id === null) return
    await sql`update contents set name = ${draft.name}, updated_at = now() where id = ${stored.content_id}`.execute(
      ctx.db,
    )
  },
  async delete(ctx, stored: StoredRepository, next) {
    const versions = await loadPublishedVersions(ctx, sql`r.id = ${stored.id}`)
    if (versions.length > 0) throw invalid({ base: [`${PUBLISHED}: ${versions.join(', ')}`] }, stored.id)
    await next()
    if (stored.content_id === null) return
    await sql`delete from contents c where c.id = ${stored.content_id}
      and not exists (select from repositories r where r.content_id = c.id)`.execute(ctx.db)
  },
}

const PUBLISHED =
  'Repository cannot be deleted since it has already been included in a published Content View. Please delete all Content View versions containing this repository before attempting to delete it'

/** Completes a new repository with defaults. Without a sent major release it gets the number that the minor one begins with. */
function withRepositoryDefaults(draft: Draft<RepositoryFields>): Draft<RepositoryFields> {
  const { content_type, download_policy, mirroring_policy, major, minor } = draft
  const downloaded = DOWNLOADED.includes(content_type ?? '')
  const digits = minor ? /^\d{1,9}/.exec(minor)?.[0] : undefined
  return {
    ...draft,
    ...(downloaded && !download_policy && { download_policy: 'on_demand' }),
    ...(!mirroring_policy && { mirroring_policy: 'additive' }),
    ...(major === undefined && digits && { major: Number(digits) }),
  }
}

/**
 * Creates the content of a repository. Its label joins the labels of organization, product and repository; if
 * another content has that label, the id is added.
 */
async function openContent(ctx: Context, repository: number): Promise<void> {
  await lockName(ctx.db, 'labels of contents')
  const opened = await row<{ id: number }>(
    ctx.db,
    sql`
      with wanted as (
        select r.id, r.name, r.content_type, p.id as product_id, o.id as organization_id,
          o.label || '_' || p.label || '_' || r.label as label, '/custom/' || p.label || '/' || r.label as content_url
        from repositories r join products p on p.id = r.product_id join organizations o on o.id = p.organization_id
        where r.id = ${repository}
      ), opened as (
        insert into contents (organization_id, name, label, vendor, content_type, content_url)
        select w.organization_id, w.name,
          case when exists (select from contents c where c.organization_id = w.organization_id and c.label = w.label)
            then w.label || '_' || w.id else w.label end,
          'Custom', w.content_type, w.content_url
        from wanted w returning id
      )
      insert into product_contents (product_id, content_id) select w.product_id, opened.id from wanted w, opened
      returning content_id as id`,
  )
  if (!opened) throw new Error('a repository was not found in its own transaction')
  await sql`update repositories set content_id = ${opened.id} where id = ${repository}`.execute(ctx.db)
}
