import { afterAll, expect, test } from 'vitest'
import { openTestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

const api = await openTestApi()
afterAll(() => api[Symbol.asyncDispose]())

test('groups inside of a group say when they were made, as they do themselves', async () => {
  const inner = await given(api.admin, 'usergroup', { name: 'inner' })
  const outer = await given(api.admin, 'usergroup', { name: 'outer', usergroup_ids: [inner.id] })
  const { name, id, created_at, updated_at } = (await api.admin.get(`/api/usergroups/${inner.id}`)).body
  expect(created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  expect(outer.usergroups).toEqual([{ name, id, created_at, updated_at }])
  expect((await api.admin.get(`/api/usergroups/${outer.id}`)).body).toEqual(outer)
})

test('no group is inside of itself, however deep', async () => {
  const inner = await given(api.admin, 'usergroup')
  const middle = await given(api.admin, 'usergroup', { usergroup_ids: [inner.id] })
  const outer = await given(api.admin, 'usergroup', { usergroup_ids: [middle.id] })
  for (const member of [inner, middle, outer]) {
    const { status, body } = await api.admin.put(`/api/usergroups/${inner.id}`, { usergroup_ids: [member.id] })
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        error: {
          id: inner.id,
          errors: { usergroups: ['cannot contain itself as member, also not within another group'] },
          full_messages: ['Usergroups cannot contain itself as member, also not within another group'],
        },
      },
    })
    expect((await api.admin.get(`/api/usergroups/${inner.id}`)).body.usergroups).toEqual([])
  }
})
