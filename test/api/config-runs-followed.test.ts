import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { expectCreated } from '../support/api.ts'
import { openRunsWorld, type RunsWorld } from './configrun-world.ts'
import { eventsOf } from './server-sent.ts'

// An event stream ends when its reader loses access, also while nothing happens in the run.

let world: RunsWorld
let address: string
beforeAll(async () => {
  world = await openRunsWorld()
  address = await world.api.listen()
})
afterAll(() => world?.[Symbol.asyncDispose]())

interface Reader {
  readonly id: number
  readonly token: number
}

const losses: Record<string, (reader: Reader) => Promise<unknown>> = {
  'their token is revoked': ({ id, token }) =>
    world.api.admin.delete(`/api/users/${id}/personal_access_tokens/${token}`),
  'they are disabled': ({ id }) => world.api.admin.put(`/api/users/${id}`, { user: { disabled: true } }),
  'they lose their role': ({ id }) => world.api.admin.put(`/api/users/${id}`, { user: { role_ids: [] } }),
  'they are deleted': ({ id }) => world.api.admin.delete(`/api/users/${id}`),
  'their filter no longer leaves the run': async ({ id }) => {
    const { rows } = await sql<{ id: number }>`select f.id from filters f join user_roles l on l.role_id = f.role_id
      where l.user_id = ${id}`.execute(world.api.database.db)
    return world.api.admin.put(`/api/filters/${rows[0]?.id}`, { filter: { search: 'host = none' } })
  },
}

test.each(Object.entries(losses))('when %s', async (_name, lose) => {
  const host = await world.host(`followed-${Object.values(losses).indexOf(lose)}.example.test`)
  const asked = await world.api.admin.put(`/api/hosts/${host.id}/configrun`)
  const run = Number(/\d+/.exec(String(asked.headers.link))?.[0])
  const { organization_id, location_id } = world.place
  const there = { organization_ids: [organization_id], location_ids: [location_id] }
  const { id } = await world.api.can(['view_config_runs'], {
    search: 'host ~ followed',
    also: ['view_hosts'],
    ...there,
  })
  const made = await expectCreated(world.api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: 'follow' }))
  const events = eventsOf(
    fetch(`${address}/api/config_runs/${run}/events`, { headers: { authorization: `Bearer ${made.token_value}` } }),
  )
  expect((await events.next()).value).toMatchObject({ event: 'state' })
  const rest = events.next()
  await lose({ id, token: made.id })
  expect(await rest).toEqual({ done: true, value: undefined })
})
