import type { Stage } from '../data.ts'
import { computeQuantile } from '../measure.ts'
import { readMemoryMiB, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const INVENTORY_MS = 1000
const WITH_ALL = {
  input_values: {
    Organization: 'yes',
    Location: 'yes',
    IPv4: 'yes',
    Subnet: 'yes',
    Facts: 'yes',
    'Host Parameters': 'yes',
  },
}
const TEMPLATE = `<%- report_headers 'Name', 'Group', 'System' -%>
<%- load_hosts.each_record do |host| -%>
<%-   report_row('Name': host.name, 'Group': host.hostgroup, 'System': host.operatingsystem) -%>
<%- end -%>
<%= report_render -%>
`

/** An inventory of 5,000 hosts with parameters and facts, and a report with a row for each of 100,000. */
export async function measureReports(stages: Stages): Promise<Line[]> {
  return [await measureInventory(stages, await stages.small()), ...(await measureReport(stages, await stages.many()))]
}

async function measureInventory(stages: Stages, stage: Stage): Promise<Line> {
  await using service = await startService(stages.folder, { ...stage.env, MILLWRIGHT_VENDOR_PORT: '0' })
  const send = authenticate(stage, service.vendorPort)
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    const start = performance.now()
    const job = await send('POST', '/ansible/api/v2/ansible_inventories/schedule', WITH_ALL)
    const { data_url } = (await job.json()) as { data_url: string }
    const hosts: unknown[] = JSON.parse((await (await send('GET', data_url)).json()) as string)
    times.push(performance.now() - start)
    if (hosts.length !== stage.size.hosts) throw new Error(`the inventory has ${hosts.length} hosts`)
  }
  const milliseconds = computeQuantile(times, 0.5)
  const budget = { text: `<= ${INVENTORY_MS} ms`, met: milliseconds <= INVENTORY_MS }
  return { row: 'reports', work: 'inventory of 5,000 hosts', database: 'PostgreSQL', milliseconds, budget }
}

async function measureReport(stages: Stages, stage: Stage): Promise<Line[]> {
  await using service = await startService(stages.folder, { ...stage.env, MILLWRIGHT_VENDOR_PORT: '0' })
  const send = authenticate(stage, service.vendorPort)
  const body = { report_template: { name: 'bench', template: TEMPLATE } }
  const { id } = (await (await send('POST', '/api/report_templates', body)).json()) as { id: number }
  const start = performance.now()
  const answer = await send('POST', `/api/report_templates/${id}/generate`, {})
  let [lines, firstMs, memoryMiB] = [0, 0, 0]
  for await (const chunk of answer.body ?? []) {
    firstMs ||= performance.now() - start
    memoryMiB = Math.max(memoryMiB, readMemoryMiB(service.pid))
    for (const byte of chunk) if (byte === 10) lines++
  }
  const milliseconds = performance.now() - start
  if (lines !== stage.size.hosts + 1) throw new Error(`the report has ${lines} lines`)
  return [
    { row: 'reports', work: 'first rows of a report of 100,000 hosts', database: 'PostgreSQL', milliseconds: firstMs },
    { row: 'reports', work: 'report of 100,000 hosts', database: 'PostgreSQL', milliseconds, memoryMiB },
  ]
}

/** Sends requests as the administrator, and expects success. */
function authenticate({ env }: Stage, port: number) {
  const login = `${env.MILLWRIGHT_ADMIN_LOGIN}:${env.MILLWRIGHT_ADMIN_PASSWORD}`
  const headers = {
    authorization: `Basic ${Buffer.from(login).toString('base64')}`,
    'content-type': 'application/json',
  }
  return async (method: string, path: string, body?: object): Promise<Response> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
}
