import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { joinConditions, limitToVisible, type Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { compile, renderPortions, TemplateError } from '../../../templates/index.ts'
import { INVENTORY_TEMPLATE } from '../../../words/template-names.ts'
import { formatInventory } from '../inventory/report.ts'
import { buildReportFunctions } from './functions.ts'
import { needsOf } from './host-records.ts'
import { readInputs } from './inputs.ts'
import { buildLoads } from './loaders.ts'
import { PLACE, ReportRows } from './rows.ts'
import type { ReportWish, StoredTemplate } from './wish.ts'

/** From so many rows on a report is sent while it is made. */
const SENT_FROM = 5000

/** So many steps a report may take for each portion of records. */
const BUDGET = { steps: 1_000_000 }

/**
 * Renders a report as the caller may see what it is about, and yields its text in pieces. What fails before the first piece
 * names the line. {@throws Failure} invalid
 */
export async function* renderReport(
  ctx: Context,
  resource: Resource,
  stored: StoredTemplate,
  wish: ReportWish,
): AsyncGenerator<string> {
  try {
    if (stored.name === INVENTORY_TEMPLATE) yield* formatInventory(ctx, resource.registry, wish)
    else yield* renderTemplate(ctx, resource, stored, wish)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw invalid({ template: [`${stored.name}: ${error.message}`] }, stored.id)
  }
}

async function* renderTemplate(
  ctx: Context,
  resource: Resource,
  { name, template }: StoredTemplate,
  { format, inputs }: ReportWish,
): AsyncGenerator<string> {
  const rows = new ReportRows()
  const text = { held: '' }
  const functions = { ...buildReportFunctions(ctx, readInputs(template, inputs)), ...rows.functions }
  const hasRows = compile(template).calls.has('report_render')
  const pieces = renderPortions(
    template,
    { name, budget: BUDGET, functions },
    {
      loads: buildLoads(ctx, resource.registry, needsOf(template)),
      snippet: (wanted) => loadSnippet(ctx, resource, wanted),
      begin: () => {
        rows.clear()
        text.held = ''
      },
      isSent: () => rows.written > 0,
    },
  )
  for await (const piece of pieces) {
    text.held += piece
    if (text.held.length > MOST_HELD) throw new TemplateError(`puts more than ${MOST_HELD} characters beside its rows`)
    if (hasRows && rows.rendered === null && rows.rows.length >= SENT_FROM) {
      requireBlank(text.held)
      yield rows.take(format)
    }
  }
  if (text.held.split(PLACE).length > 2) throw new TemplateError('report_render can stand in a report once')
  if (rows.written === 0) return yield text.held.replace(PLACE, () => rows.format(format))
  requireBlank(text.held.replaceAll(PLACE, ''))
  yield rows.finish(format)
}

const MOST_HELD = 50_000_000

function requireBlank(text: string): void {
  if (text.trim() !== '')
    throw new TemplateError(
      `a report of more than ${SENT_FROM} rows is sent while it is made: it can have no text beside them`,
    )
}

async function loadSnippet(ctx: Context, resource: Resource, name: string): Promise<string | null> {
  const seen = joinConditions(limitToVisible(ctx, resource, 'view_report_templates'))
  const found = await row<{ template: string }>(
    ctx.db,
    sql`select t.template from report_templates t where t.name = ${name} and t.snippet and (t."default" or ${seen})`,
  )
  return found?.template ?? null
}
