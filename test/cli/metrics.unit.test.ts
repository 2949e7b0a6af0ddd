import { expect, test } from 'vitest'
import { createMetrics } from '../../src/http/listeners/metrics.ts'

const COST = { statements: 3, databaseSeconds: 0.5 }

test('requests are counted by route template, method and status', async () => {
  const metrics = createMetrics(() => null)
  metrics.observeRequest({ method: 'GET', route: '/api/architectures/:id', status: 200, seconds: 0.004, ...COST })
  metrics.observeRequest({ method: 'GET', route: '/api/architectures/:id', status: 200, seconds: 0.2, ...COST })
  metrics.observeRequest({ method: 'BREW', route: null, status: 404, seconds: 0.001, ...COST })
  const text = await metrics.text()
  const name = 'millwright_http_request_duration_seconds'
  expect(text).toContain(`${name}_bucket{le="0.005",method="GET",route="/api/architectures/:id",status="200"} 1\n`)
  expect(text).toContain(`${name}_count{method="GET",route="/api/architectures/:id",status="200"} 2\n`)
  expect(text).toContain(`${name}_count{method="other",route="none",status="404"} 1\n`)
})

test('the pool is asked when the metrics are read', async () => {
  let idle = 3
  const metrics = createMetrics(() => ({ total: 5, idle, waiting: 1 }))
  await metrics.text()
  idle = 1
  const text = await metrics.text()
  expect(text).toContain('millwright_database_connections{state="idle"} 1\n')
  expect(text).toContain('millwright_database_connections{state="busy"} 4\n')
  expect(text).toContain('millwright_database_connections{state="waiting"} 1\n')
})

test('statements are counted by route, and the process, each registry on its own', async () => {
  const metrics = createMetrics(() => null)
  const other = createMetrics(() => null)
  for (const status of [200, 404])
    metrics.observeRequest({ method: 'GET', route: '/api/hosts', status, seconds: 0.001, ...COST })
  const where = '{method="GET",route="/api/hosts"}'
  expect(await metrics.text()).toContain(`millwright_database_statements_total${where} 6\n`)
  expect(await metrics.text()).toContain(`millwright_database_seconds_total${where} 1\n`)
  expect(await metrics.text()).toContain('process_resident_memory_bytes')
  expect(await other.text()).not.toContain(where)
})
