import { row } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { quiet, testConfig } from '../../test/support/settings.ts'
import { fillClasses } from '../classes.ts'
import { computeQuantile } from '../measure.ts'
import { startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const MOST_MS = 100
const TIMES = 25

/** Measures which hosts a write would change, of 10,000 that all have the class, over HTTP. */
export async function preview(stages: Stages): Promise<Line[]> {
  const { url, env, size } = await stages.fleet()
  await using database = await connect(testConfig({ url }), quiet)
  await fillClasses(database.db, { classes: 50, parameters: 500, matchers: 2000 })
  await using service = await startService(stages.folder, env)
  const parameter = await row<{ id: number; fqdn: string; title: string }>(
    database.db,
    sql`select p.id, (select max(name) from hosts) as fqdn, (select title from hostgroups order by id desc limit 1) as title
      from smart_class_parameters p where p.parameter_type = 'string' and p.override_value_order is null order by p.id limit 1`,
  )
  if (!parameter) throw new Error('there is no parameter to be previewed')
  const at = `/api/smart_class_parameters/${parameter.id}`
  const writes: readonly [string, string, string, object][] = [
    [
      'another default and order',
      'PUT',
      at,
      { default_value: 'new', override_value_order: 'domain\nkernel\nhostgroup\nfqdn' },
    ],
    ['an override for a host', 'POST', `${at}/override_values`, { match: `fqdn=${parameter.fqdn}`, value: 'new' }],
    [
      'an override for a group',
      'POST',
      `${at}/override_values`,
      { match: `hostgroup=${parameter.title}`, value: 'new' },
    ],
  ]
  const authorization = `Basic ${Buffer.from(`admin:${env.MILLWRIGHT_ADMIN_PASSWORD}`).toString('base64')}`
  const lines: Line[] = []
  for (const [work, method, path, body] of writes) {
    const took: number[] = []
    let total = 0
    for (let turn = 0; turn < TIMES; turn++) {
      const start = performance.now()
      const answer = await fetch(`http://127.0.0.1:${service.port}${path}?preview=true`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${work} answered ${answer.status}: ${text}`)
      took.push(performance.now() - start)
      total = (JSON.parse(text) as { total: number }).total // the answer of a preview
    }
    const p50 = computeQuantile(took, 0.5)
    lines.push({
      row: 'preview',
      work: `preview: ${work}, ${total.toLocaleString('en')} of ${size.hosts.toLocaleString('en')} hosts change`,
      database: 'PostgreSQL',
      p50,
      p99: computeQuantile(took, 0.99),
      budget: { text: `p50 <= ${MOST_MS} ms`, met: p50 <= MOST_MS },
    })
  }
  return lines
}
