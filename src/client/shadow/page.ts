import { createServer, type Server } from 'node:http'
import type { Comparison, Report } from './comparison.ts'

/** Creates a server of the report: `/` for people, `/report.json`, and `/metrics` for Prometheus. */
export function createReportServer(comparison: Comparison): Server {
  return createServer((request, response) => {
    const path = request.url?.split('?')[0]
    const [type, text] =
      path === '/'
        ? ['text/html', formatPage(comparison.report())]
        : path === '/report.json'
          ? ['application/json', JSON.stringify(comparison.report(), null, 2)]
          : path === '/metrics'
            ? ['text/plain; version=0.0.4', formatMetrics(comparison.report())]
            : [null, 'there are /, /report.json and /metrics\n']
    const policy = {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    }
    response.writeHead(type === null ? 404 : 200, {
      'content-type': `${type ?? 'text/plain'}; charset=utf-8`,
      ...policy,
    })
    response.end(text)
  })
}

function formatMetrics(report: Report): string {
  const lines = [
    '# TYPE millwright_shadow_compared_total counter',
    ...report.routes.map(
      ({ route, compared }) => `millwright_shadow_compared_total{route="${escapeLabel(route)}"} ${compared}`,
    ),
    '# TYPE millwright_shadow_equal_total counter',
    ...report.routes.map(({ route, equal }) => `millwright_shadow_equal_total{route="${escapeLabel(route)}"} ${equal}`),
    '# TYPE millwright_shadow_client_compared_total counter',
    ...report.clients.map(
      ({ client, compared }) => `millwright_shadow_client_compared_total{client="${escapeLabel(client)}"} ${compared}`,
    ),
    '# TYPE millwright_shadow_client_equal_total counter',
    ...report.clients.map(
      ({ client, equal }) => `millwright_shadow_client_equal_total{client="${escapeLabel(client)}"} ${equal}`,
    ),
    '# TYPE millwright_shadow_writes_total counter',
    `millwright_shadow_writes_total ${report.writes}`,
    ...formatAfterWrites(report),
    '# TYPE millwright_shadow_milliseconds gauge',
    ...report.routes.flatMap(({ route, milliseconds }) =>
      (['upstream', 'here'] as const).flatMap((server) =>
        (['p50', 'p95'] as const).map(
          (quantile) =>
            `millwright_shadow_milliseconds{route="${escapeLabel(route)}",server="${server}",quantile="${quantile}"} ${milliseconds[server]?.[quantile] ?? 'NaN'}`,
        ),
      ),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function formatAfterWrites({ after_writes }: Report): string[] {
  if (after_writes === null) return []
  return [
    '# TYPE millwright_shadow_after_writes_total counter',
    `millwright_shadow_after_writes_total ${after_writes.runs}`,
    '# TYPE millwright_shadow_after_writes_failed_total counter',
    `millwright_shadow_after_writes_failed_total ${after_writes.failed}`,
  ]
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

const STYLE =
  'body{font:14px/1.5 system-ui;margin:2rem;color:CanvasText;background:Canvas;color-scheme:light dark}table{border-collapse:collapse;margin-bottom:2rem}th,td{text-align:left;padding:.25rem .75rem;border-bottom:1px solid GrayText;vertical-align:top}td:first-child{font-family:monospace}'

function formatPage(report: Report): string {
  const share = report.compared === 0 ? '' : ` (${percentOf(report)})`
  const formatTimes = (milliseconds: Report['routes'][number]['milliseconds']) =>
    (['upstream', 'here'] as const).map(
      (server) => `${milliseconds[server]?.p50 ?? '–'} / ${milliseconds[server]?.p95 ?? '–'}`,
    )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shadow of ${escapeHtml(report.upstream)}</title><style>${STYLE}</style>
<h1>Shadow of ${escapeHtml(report.upstream)}</h1>
<p>${report.equal} of ${report.compared} answers are equal${share} since ${escapeHtml(report.since)}. ${formatWrites(report)}</p>
<p>For programs: <a href="/report.json">report.json</a>, <a href="/metrics">metrics</a>.</p>
${formatTable(
  'Differences',
  ['Route', 'Difference', 'Where', 'Old server', 'This server', 'Count', 'Clients'],
  report.differences.map((each) => [
    each.route,
    each.kind,
    each.path,
    each.upstream,
    each.here,
    each.count,
    each.clients.join(', '),
  ]),
)}
${formatTable(
  'Routes',
  ['Route', 'Equal', 'Score', 'Old server: p50 / p95 ms', 'This server: p50 / p95 ms'],
  report.routes.map((each) => [
    each.route,
    `${each.equal} of ${each.compared}`,
    percentOf(each),
    ...formatTimes(each.milliseconds),
  ]),
)}
${formatTable(
  'Clients',
  ['Client', 'Equal', 'Score'],
  report.clients.map((each) => [each.client, `${each.equal} of ${each.compared}`, percentOf(each)]),
)}
${formatTable('Not compared', ['Reason', 'Count'], Object.entries(report.not_compared))}
${formatTable('Ignored differences', ['Reason', 'Count'], Object.entries(report.ignored))}
</html>`
}

function formatWrites({ writes, after_writes }: Report): string {
  const accepted = `${writes} writes went to the old server only`
  if (after_writes === null) return `${accepted}: import again to have them here.`
  const { runs, failed, pending } = after_writes
  const failures = failed > 0 ? `, ${failed} times with an error` : ''
  return `${accepted}. The command after writes has run ${runs} times${failures}${pending ? '; it will run again' : ''}.`
}

/** Formats a share for people. */
export function percentOf({ equal, compared }: { readonly equal: number; readonly compared: number }): string {
  return `${Math.floor((equal / compared) * 1000) / 10} %`
}

function formatTable(title: string, headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  if (rows.length === 0) return ''
  const row = (cells: readonly unknown[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(String(cell))}</${tag}>`).join('')}</tr>`
  return `<h2>${escapeHtml(title)}</h2><table><thead>${row(headings, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
