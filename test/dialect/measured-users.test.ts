import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { given, type Shown } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// What a running server answers about users (measured.md, Users, identity), at the second port: what measured-rows.test.ts and
// test/api/users.test.ts leave open.

let api: BothListeners
let me: string
beforeAll(async () => {
  api = await openBothListeners()
  me = `/api/users/${(await api.theirs.get('/api/current_user')).body.id}`
})
afterAll(() => api[Symbol.asyncDispose]())

const put = (path: string, user: object) => api.theirs.put(path, { user })

describe('refused is', () => {
  test.each([
    [{ disabled: true }, 'disabled', 'It is not possible to disable yourself'],
    [{ password: 'another-one-1', current_password: 'wrong' }, 'current_password', 'Incorrect password'],
  ])('%j of oneself, also for administrators', async (sent, field, message) => {
    const { status, body } = await put(me, sent)
    expect([status, body.error.errors]).toEqual([422, { [field]: [message] }])
  })

  test.each(['organization', 'location'])('a default %s outside of one’s own', async (kind) => {
    const other = await given(api.ours, kind)
    const user = await given(api.ours, 'user', { organization_ids: [1], location_ids: [1] })
    const { status, body } = await put(`/api/users/${user.id}`, { [`default_${kind}_id`]: other.id })
    const message = `default ${kind}s need to be user ${kind}s first`
    expect([status, body.error.errors]).toEqual([422, { [`default_${kind}`]: [message] }])
  })

  test('a token whose end has passed', async () => {
    const token = { name: 'late', expires_at: '2001-01-01 00:00:00 UTC' }
    const { status, body } = await api.theirs.post(`${me}/personal_access_tokens`, { personal_access_token: token })
    expect([status, Object.keys(body.error.errors)]).toEqual([422, ['expires_at']])
  })
})

describe('mail', () => {
  const create = (more: object) => given(api.theirs, 'user', { mail: 'somebody@example.test', ...more })
  const wanted = async (id: number) => {
    const { results } = (await api.theirs.get(`/api/users?search=id%3D${id}`)).body
    const one = (await api.theirs.get(`/api/users/${id}`)).body
    expect(results.map(({ mail_enabled }: Shown) => mail_enabled)).toEqual([one.mail_enabled])
    return one.mail_enabled
  }

  test('is wanted by who says so, as stored', async () => {
    for (const mail_enabled of [true, false]) {
      const made = await create({ mail_enabled })
      expect([made.mail_enabled, await wanted(made.id)]).toEqual([mail_enabled, mail_enabled])
      expect((await put(`/api/users/${made.id}`, { mail_enabled: !mail_enabled })).body).toMatchObject({
        mail_enabled: !mail_enabled,
      })
      expect(await wanted(made.id)).toBe(!mail_enabled)
      expect((await put(`/api/users/${made.id}`, { firstname: 'Zoe' })).body.mail_enabled).toBe(!mail_enabled)
    }
    const silent = await create({})
    expect(await wanted(silent.id)).toBe(false)
    expect((await put(`/api/users/${silent.id}`, { mail_enabled: 'perhaps' })).body.error.errors).toEqual({
      mail_enabled: ['must be true or false'],
    })
  })

  test('is what callers are told of themselves, too', async () => {
    await put(me, { mail_enabled: true })
    const { body } = await api.theirs.get('/api/current_user')
    expect(body).toMatchObject({ mail_enabled: true, mail_notifications: [] })
    expect(Object.keys(body).sort()).toEqual(Object.keys((await api.theirs.get(me)).body).sort())
    expect((await api.ours.get('/api/current_user')).body.mail_enabled).toBe(true)
  })

  test('is sent by nothing, so what it would be about is not there', async () => {
    const { id } = await create({})
    for (const path of ['/api/mail_notifications', `/api/users/${id}/mail_notifications`])
      expect((await api.theirs.get(path)).status, path).toBe(404)
  })
})
