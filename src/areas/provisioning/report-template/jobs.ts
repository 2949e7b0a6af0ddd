import type { Context } from '../../../context.ts'
import { deleteInSteps } from '../../../database/delete-in-steps.ts'
import { type Db, row } from '../../../database/sql.ts'
import { notFound } from '../../../errors.ts'
import { printExact } from '../../../lib/lossless-json.ts'
import { sql } from '../../../sql.ts'
import type { ReportWish } from './wish.ts'

/** A report that was asked for, to be fetched later. */
export interface ReportJob {
  readonly wish: ReportWish & { readonly gzip: boolean }
  /** Whether its time has come. */
  readonly isDue: boolean
}

/** Stores that a report is asked for, and yields its id and the address at which it can be fetched. */
export async function storeReportJob(
  ctx: Context,
  template: number,
  wish: ReportJob['wish'],
  at: string | null,
): Promise<{ job_id: string; data_url: string }> {
  const stored = await row<{ id: string }>(
    ctx.db,
    sql`insert into report_jobs (report_template_id, user_id, wish, generate_at)
      values (${template}, ${ctx.user.id}, ${printExact(wish)}::jsonb, ${at}::timestamptz) returning id`,
  )
  const id = stored?.id ?? ''
  const { organization, location } = ctx.scope
  const scope = new URLSearchParams({
    ...(organization !== null && { organization_id: String(organization) }),
    ...(location !== null && { location_id: String(location) }),
  })
  const path = `/api/v2/report_templates/${template}/report_data/${id}`
  return { job_id: id, data_url: scope.size > 0 ? `${path}?${scope}` : path }
}

/** Finds a report of the last day that the caller asked for; administrators find those of everybody. {@throws Failure} not_found */
export async function findReportJob(ctx: Context, template: string, id: string): Promise<ReportJob> {
  const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
  const found = isId
    ? await row<ReportJob>(
        ctx.db,
        sql`select j.wish, coalesce(j.generate_at, j.created_at) <= now() as "isDue" from report_jobs j
          where j.id = ${id}::uuid and j.report_template_id::text = ${template}
            and (j.user_id = ${ctx.user.id} or ${ctx.user.admin}) and ${KEPT}`,
      )
    : undefined
  if (!found) throw notFound('report', id)
  return found
}

const KEPT = sql`coalesce(j.generate_at, j.created_at) > now() - interval '1 day'`

/** Deletes reports that cannot be fetched any more, and yields their number. */
export function deleteOldReportJobs(db: Db, signal: AbortSignal): Promise<number> {
  return deleteInSteps(db, 'report_jobs', sql`coalesce(generate_at, created_at) <= now() - interval '1 day'`, {
    signal,
  })
}
