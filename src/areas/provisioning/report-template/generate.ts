import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid, notFound } from '../../../errors.ts'
import { type Action, joinConditions, limitToVisible, type Resource, readAttributes } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { isMembers } from '../../../lib/values.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { NOT_STORABLE, toBoolean } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { INVENTORY_TEMPLATE } from '../../../words/template-names.ts'
import { answerReport } from './answer.ts'
import { readInputs } from './inputs.ts'
import { findReportJob, storeReportJob } from './jobs.ts'
import { renderReport } from './rendering.ts'
import { FORMATS, type FormatName } from './rows.ts'
import type { StoredTemplate } from './wish.ts'

const GENERATE = 'generate_report_templates'
const NAMES = Object.keys(FORMATS) as FormatName[] // the names of a constant

const WISH = {
  input_values: z
    .record(z.string(), z.unknown(), { error: 'must be an object: values by the names of inputs' })
    .nullish()
    .meta({ description: 'Values of the inputs that the template asks for, by their names.' }),
  report_format: z
    .enum(NAMES, { error: `must be one of ${NAMES.join(', ')}` })
    .nullish()
    .meta({ description: 'Format of the report; default: csv.' }),
  gzip: z
    .preprocess(toBoolean, z.boolean({ error: 'must be true or false' }).nullish())
    .meta({ description: 'Whether the report is compressed.' }),
}
const SCHEDULED = {
  ...WISH,
  mail_to: z
    .union([z.literal(''), z.null()], { error: 'must be blank: no mail is sent from here, fetch the report' })
    .optional()
    .meta({ description: 'Blank: no mail is sent.' }),
  generate_at: z
    .union([z.literal(''), z.iso.datetime({ offset: true, error: 'must be a time such as 2026-05-01T12:00:00Z' })])
    .nullish()
    .meta({ description: 'Time from when on the report can be fetched; default: now.' }),
}

const FILE = z.json().meta({ description: 'The report, in its format.' })

/** Makes a report and answers with it. */
export const generate: Action = {
  method: 'POST',
  path: '/:id/generate',
  name: 'generate',
  summary: 'Make the report of a template',
  permissions: [GENERATE],
  body: z.object(WISH),
  output: FILE,
  status: 200,
  notInBatch: true,
  record: { how: 'found', keys: ['id', 'name', 'template'], permission: GENERATE },
  handle: async (ctx, resource, input, record) => {
    const { wish, gzip } = readWish(ctx, resource, input)
    const template = toStored(record)
    const report = renderReport(ctx, resource, template, wish)
    return answerReport(ctx, template, wish, { gzip, isQuoted: false }, report)
  },
}

/** The answer to those who ask for a report now and fetch it later. */
export const JOB = z
  .object({
    job_id: z.string().meta({ description: 'Id of the report that was asked for.' }),
    data_url: z.string().meta({ description: 'Path at which it can be fetched, for a day.' }),
  })
  .meta({ title: 'ReportJob', description: 'A report that was asked for.' })

/** Asks for a report that is fetched later. */
export const scheduleReport: Action = {
  method: 'POST',
  path: '/:id/schedule_report',
  name: 'schedule_report',
  summary: 'Ask for the report of a template, to fetch it later',
  permissions: [GENERATE],
  body: z.object(SCHEDULED),
  output: JOB,
  status: 200,
  record: { how: 'found', keys: ['id', 'name', 'template'], permission: GENERATE },
  handle: async (ctx, resource, input, record) => {
    const { wish, gzip, at } = readWish(ctx, resource, input)
    const { id, template } = toStored(record)
    readInputs(template, wish.inputs)
    return { status: 200, body: await storeReportJob(ctx, id, { ...wish, gzip }, at) }
  },
}

/** Fetches a report: made when it is fetched, as its caller may see it then. */
export const reportData: Action = {
  method: 'GET',
  path: '/:id/report_data/:job_id',
  name: 'report_data',
  summary: 'Fetch a report that was asked for before',
  permissions: [GENERATE],
  own: true,
  output: FILE,
  mayBeEmpty: true,
  notInBatch: true,
  refuses: 422,
  handle: fetchReport,
}

async function fetchReport(ctx: Context, resource: Resource, { params }: Input): Promise<Answer> {
  const { wish, isDue } = await findReportJob(ctx, params.id ?? '', params.job_id ?? '')
  if (!isDue) return { status: 204 }
  const template = await row<StoredTemplate>(
    ctx.db,
    sql`select t.id, t.name, t.template from report_templates t where t.id::text = ${params.id ?? ''}
      and (t.name = ${INVENTORY_TEMPLATE} or ${joinConditions(limitToVisible(ctx, resource, GENERATE))})`,
  )
  if (!template) throw notFound(resource.name, params.id ?? '')
  const report = renderReport(ctx, resource, template, wish)
  return answerReport(ctx, template, wish, { gzip: wish.gzip, isQuoted: wish.format === 'json' }, report)
}

/** Reads what a report is asked for with. {@throws Failure} invalid */
function readWish(ctx: Context, resource: Resource, { body }: Input) {
  const sent = z.object(SCHEDULED).safeParse(readAttributes(resource, body))
  if (!sent.success) throw invalid(z.flattenError(sent.error).fieldErrors)
  const { input_values: inputs, report_format: format, gzip, generate_at } = sent.data
  if (!isValidText(inputs)) throw invalid({ input_values: [NOT_STORABLE] })
  return {
    wish: { format: format ?? 'csv', inputs: isMembers(inputs) ? inputs : {} },
    gzip: gzip === true,
    at: generate_at ? readTime(ctx, generate_at) : null,
  }
}

const DAY_MS = 86_400_000

/** Reads the time of a report: of the last day, so that it can be fetched, or of the next year. {@throws Failure} invalid */
function readTime(ctx: Context, text: string): string {
  const ahead = Date.parse(text) - ctx.now().getTime()
  if (!(ahead > -DAY_MS && ahead < 366 * DAY_MS)) throw invalid({ generate_at: ['must be within a year from now'] })
  return new Date(text).toISOString()
}

function toStored({
  id,
  name,
  template,
}: {
  readonly id: number
  readonly name?: unknown
  readonly template?: unknown
}) {
  return { id, name: String(name), template: String(template) }
}
