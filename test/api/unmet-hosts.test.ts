import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { createLogger } from '../../src/log.ts'
import { openApi } from '../../src/service/service.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// A start logs the smart proxies that do not act for hosts that name them (docs/decisions/0017-machines.md).

test('a start lists smart proxies and hosts that do not meet, and says nothing where all do', async () => {
  await using api = await openTestApi()
  const [mine, theirs] = [await place(api), await place(api)]
  const proxy = await given(api.admin, 'smart_proxy', {
    organization_ids: [mine.organization_id, theirs.organization_id],
    location_ids: [],
  })
  const host = (name: string, where: object) =>
    given(api.admin, 'host', { name: `${name}.example.test`, config_proxy_id: proxy.id, ...where })
  await host('own', mine)
  await host('elsewhere', { ...mine, location_id: theirs.location_id })
  for (let index = 10; index < 22; index++) await host(`far${index}`, theirs)
  expect(await said(api)).toEqual([])
  await api.admin.put(`/api/smart_proxies/${proxy.id}`, { organization_ids: [mine.organization_id] })
  const first = Array.from({ length: 10 }, (_, index) => `far${10 + index}.example.test`)
  expect(await said(api)).toEqual([
    { count: 1, hosts: 12, proxies: [{ id: proxy.id, name: proxy.name, hosts: 12, first }] },
  ])
})

async function place({ admin }: TestApi) {
  const { id: organization_id } = await given(admin, 'organization')
  const { id: location_id } = await given(admin, 'location')
  return { organization_id, location_id }
}

/** Yields what another start on the same database logs about it. */
async function said({ database }: TestApi): Promise<unknown[]> {
  const lines: string[] = []
  const log = createLogger(
    { logLevels: { rest: 'warn', parts: {} }, logFormat: 'json' },
    { write: (line) => void lines.push(line) },
  )
  const env = { MILLWRIGHT_DATA_DIR: 'memory', MILLWRIGHT_ADMIN_LOGIN: 'admin' }
  const { server } = await openApi(
    database,
    readConfig([], env, () => ''),
    log,
  )
  await server.close()
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'smart proxies do not act for hosts that name them')
    .map(({ count, hosts, proxies }) => ({ count, hosts, proxies }))
}
