import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Answers of a running server about users (measured.md, Users, identity), at the second port, beyond measured-rows.test.ts
// and test/api/users.test.ts.

let api: BothListeners
let me: string
beforeAll(async () => {
  api = await openBothListeners()
  me = `/api/users/${(await api.theirs.get('/api/current_user')).body.id}`
})
afterAll(() => api?.[Symbol.asyncDispose]())

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

  const subjects = async () => {
    const { results } = (await api.theirs.get('/api/mail_notifications?per_page=all')).body
    return Object.fromEntries(results.map((one: Shown) => [one.name, one]))
  }

  test('is about what comes with the program', async () => {
    const known = await subjects()
    expect(Object.keys(known)).toEqual(['audit_summary', 'config_error_state', 'config_summary', 'host_built'])
    for (const [name, one] of Object.entries<Shown>(known)) {
      expect(Object.keys(one).sort()).toEqual(['description', 'id', 'name', 'subscription_type'])
      for (const segment of [one.id, name])
        expect((await api.theirs.get(`/api/mail_notifications/${segment}`)).body).toEqual(one)
    }
    expect((await api.theirs.delete('/api/mail_notifications/host_built')).status).toBe(404)
  })

  test('about each of them is wanted once, at its intervals, in any case of letters', async () => {
    const { id, login } = await create({})
    const path = `/api/users/${id}/mail_notifications`
    const known = await subjects()
    const about = (name: string) => ({ mail_notification_id: known[name].id })
    const refused: [object, string][] = [
      [{ interval: 'daily' }, 'mail_notification_id'],
      [{ mail_notification_id: 0, interval: 'daily' }, 'mail_notification_id'],
      [about('host_built'), 'interval'],
      [{ ...about('host_built'), interval: 'hourly' }, 'interval'],
      [{ ...about('host_built'), interval: 'daily' }, 'interval'],
      [{ ...about('config_summary'), interval: 'subscribe' }, 'interval'],
      [{ ...about('config_summary'), interval: 'daily', mail_query: 'action = create' }, 'mail_query'],
      [{ ...about('config_summary'), interval: 'daily', subscription: 'weekly' }, 'subscription'],
    ]
    for (const [sent, field] of refused) {
      const { status, body } = await api.theirs.post(path, sent)
      expect([sent, status >= 400 && status < 500]).toEqual([sent, true])
      if (status === 422) expect(Object.keys(body.error.errors)).toEqual([field])
    }
    expect((await api.theirs.get(path)).body).toEqual([])

    const alert = { subscription: 'subscribe to my hosts', ...about('host_built'), mail_notification: {} }
    const made = await api.theirs.post(path, alert)
    expect(made).toMatchObject({ status: 200, body: { user_id: id, interval: 'Subscribe to my hosts' } })
    const taken = await api.theirs.post(path, alert)
    expect([taken.status, Object.keys(taken.body.error.errors)]).toEqual([422, ['mail_notification_id']])
    const summary = { ...about('audit_summary'), interval: 'daily', mail_query: 'action = create' }
    await api.theirs.post(path, { mail_notification: summary })
    await api.theirs.put(`${path}/${known.audit_summary.id}`, { interval: 'WEEKLY' })
    expect((await api.theirs.get(path)).body).toMatchObject([
      { name: 'host_built', interval: 'Subscribe to my hosts', mail_query: null },
      {
        name: 'audit_summary',
        interval: 'Weekly',
        mail_query: 'action = create',
        user_id: id,
        ...about('audit_summary'),
      },
    ])
    const shown = (await api.theirs.get(`/api/users/${id}`)).body.mail_notifications
    expect(shown).toEqual([known.audit_summary, known.host_built])
    const wanted = await api.theirs.get(`/api/mail_notifications?search=user%3D${login}&order=id`)
    expect(wanted.body.results.map(({ name }: Shown) => name)).toEqual(['audit_summary', 'host_built'])

    for (const method of ['put', 'delete'] as const)
      expect((await api.theirs[method](`${path}/${known.config_summary.id}`, { interval: 'daily' })).status).toBe(404)
    expect((await api.theirs.delete(`${path}/${known.host_built.id}`)).status).toBe(200)
    expect((await api.ours.get(path)).body.results).toMatchObject([{ name: 'audit_summary', interval: 'Weekly' }])
  })

  test('is chosen by everybody for themselves, and by who may for others', async () => {
    const someone = await create({ password: 'a-long-password', login: 'chooser' })
    const path = `/api/users/${someone.id}/mail_notifications`
    const own = { authorization: basic('chooser', 'a-long-password') }
    const { host_built } = await subjects()
    const sent = { mail_notification_id: host_built.id, interval: 'Subscribe' }
    expect((await api.stranger.post(path, sent, own)).status).toBe(200)
    expect(
      (await api.stranger.put(`${path}/${host_built.id}`, { interval: 'subscribe to all hosts' }, own)).status,
    ).toBe(200)
    expect((await api.stranger.get(path, own)).body).toMatchObject([{ interval: 'Subscribe to all hosts' }])
    expect((await api.stranger.delete(`${path}/${host_built.id}`, undefined, own)).status).toBe(200)
    const { id: other } = await create({})
    const others = `/api/users/${other}/mail_notifications`
    for (const { status } of [await api.stranger.get(others, own), await api.stranger.post(others, sent, own)])
      expect([403, 404]).toContain(status)
  })
})
