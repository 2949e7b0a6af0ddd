import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'

// Concurrent requests: the answers equal those of some sequential order. What may be there once is in test/laws/at-once.

let api: TestApi
const TIMES = 8

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

function together(send: (index: number) => Promise<Reply>): Promise<Reply[]> {
  return Promise.all(Array.from({ length: TIMES }, (_, index) => send(index)))
}

function countOf(replies: readonly Reply[], status: number): number {
  return replies.filter((reply) => reply.status === status).length
}

describe('at the same time', () => {
  test('a record is deleted once', async () => {
    const { id } = await expectCreated(api.admin.post('/api/architectures', { name: 'gone' }))
    const replies = await together(() => api.admin.delete(`/api/architectures/${id}`))
    expect(countOf(replies, 200)).toBe(1)
    expect(countOf(replies, 404)).toBe(TIMES - 1)
    const { body } = await api.admin.get(
      `/api/audits?search=type+%3D+architecture+and+auditable_id+%3D+${id}+and+action+%3D+destroy`,
    )
    expect(body.subtotal).toBe(1)
  })

  test('changes of one record are all made, each audited with what it found', async () => {
    const { id } = await expectCreated(api.admin.post('/api/architectures', { name: 'changing' }))
    const replies = await together((index) => api.admin.put(`/api/architectures/${id}`, { name: `changing${index}` }))
    expect(countOf(replies, 200)).toBe(TIMES)
    const { body } = await api.admin.get(
      `/api/audits?per_page=all&order=id&search=type+%3D+architecture+and+auditable_id+%3D+${id}+and+action+%3D+update`,
    )
    const steps: [string, string][] = body.results
      .toSorted((a: { version: number }, b: { version: number }) => a.version - b.version)
      .map(({ audited_changes }: { audited_changes: { name: [string, string] } }) => audited_changes.name)
    expect(steps).toHaveLength(TIMES)
    for (const [index, [before]] of steps.entries())
      expect(before).toBe(index === 0 ? 'changing' : steps[index - 1]?.[1])
    expect((await api.admin.get(`/api/architectures/${id}`)).body.name).toBe(steps.at(-1)?.[1])
  })

  test('changes of the links of one record are audited with the links that they found', async () => {
    const made = Array.from({ length: TIMES }, (_, index) =>
      expectCreated(api.admin.post('/api/operatingsystems', { name: 'Found', major: String(index + 1) })),
    )
    const systems = (await Promise.all(made)).map(({ id }) => id)
    const { id } = await expectCreated(api.admin.post('/api/architectures', { name: 'finding' }))
    const replies = await together((index) =>
      api.admin.put(`/api/architectures/${id}`, { operatingsystem_ids: [systems[index]] }),
    )
    expect(countOf(replies, 200)).toBe(TIMES)
    const { body } = await api.admin.get(
      `/api/audits?per_page=all&search=type+%3D+architecture+and+auditable_id+%3D+${id}+and+action+%3D+update`,
    )
    const steps: [number[], number[]][] = body.results
      .toSorted((a: { version: number }, b: { version: number }) => a.version - b.version)
      .map(({ audited_changes }: { audited_changes: Record<string, unknown> }) => audited_changes.operatingsystem_ids)
    expect(steps).toHaveLength(TIMES)
    for (const [index, [before]] of steps.entries()) expect(before).toEqual(index === 0 ? [] : steps[index - 1]?.[1])
  })

  test('links from both sides do not lock each other up', async () => {
    const os = await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Linked', major: '1' }))
    const arch = await expectCreated(api.admin.post('/api/architectures', { name: 'linked' }))
    const replies = await together((index) =>
      index % 2
        ? api.admin.put(`/api/architectures/${arch.id}`, { operatingsystem_ids: index % 4 === 1 ? [os.id] : [] })
        : api.admin.put(`/api/operatingsystems/${os.id}`, { architecture_ids: index % 4 === 0 ? [arch.id] : [] }),
    )
    for (const { status, text } of replies) expect(status, text).toBe(200)
    const linked = (await api.admin.get(`/api/architectures/${arch.id}`)).body.operatingsystems.length
    expect((await api.admin.get(`/api/operatingsystems/${os.id}`)).body.architectures).toHaveLength(linked)
  })

  test('creating a reference and deleting its target exclude each other', async () => {
    const os = await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Needed', major: '1' }))
    const image = {
      name: 'needing',
      uuid: 'n',
      username: 'root',
      architecture_name: 'x86_64',
      operatingsystem_id: os.id,
    }
    const [made, deleted] = await Promise.all([
      api.admin.post('/api/images', { image }),
      api.admin.delete(`/api/operatingsystems/${os.id}`),
    ])
    expect([made.status, deleted.status]).toBeOneOf([
      [201, 422],
      [422, 200],
    ])
    expect((await api.admin.get(`/api/operatingsystems/${os.id}`)).status).toBe(made.status === 201 ? 200 : 404)
  })

  test('a page shows records as the search matched them', async () => {
    const { id } = await expectCreated(api.admin.post('/api/hosts', { name: 'flipping.example.test', managed: false }))
    let seen = 0
    const flipping = (async () => {
      for (let turn = 0; turn < 60; turn++)
        await api.admin.put(`/api/hosts/${id}`, { comment: turn % 2 ? 'left' : 'here' })
    })()
    const looking = together(async () => {
      let reply = await api.admin.get('/api/hosts?search=comment+%3D+here')
      for (let turn = 0; turn < 30; turn++) {
        for (const { comment } of reply.body.results) {
          expect(comment).toBe('here')
          seen++
        }
        reply = await api.admin.get('/api/hosts?search=comment+%3D+here')
      }
      return reply
    })
    await Promise.all([flipping, looking])
    expect(seen).toBeGreaterThan(0)
  })

  test('totals stay exact', async () => {
    const before = (await api.admin.get('/api/architectures')).body.total
    await Promise.all([
      together((index) => api.admin.post('/api/architectures', { name: `counted${index}` })),
      together(() => api.admin.get('/api/architectures?search=counted')),
    ])
    const { body } = await api.admin.get('/api/architectures?search=counted')
    expect(body).toMatchObject({ total: before + TIMES, subtotal: TIMES })
  })
})
