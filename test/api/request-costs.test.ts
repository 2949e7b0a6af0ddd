import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_LENGTH, MAX_SUGGESTIONS, MAX_TYPED, MAX_VALUE } from '../../src/search/query.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// The cost of a request is limited before it is executed (docs/decisions/0020-cost-of-searches.md).

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  for (const name of ['host', 'architecture', 'configclass']) await given(api.admin, name)
})
afterAll(() => api?.[Symbol.asyncDispose]())

function times(many: number, text: (which: number) => string, joined = ' and '): string {
  return Array.from({ length: many }, (_, which) => text(which)).join(joined)
}

function searchHosts(search: string) {
  return api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)
}

describe('a search', () => {
  test.each(['facts.f@ = 1', 'hostgroup = g@', 'has_ip ~ @', 'domain ~ d@', 'not facts.f@ = 1'])(
    'of a hundred conditions like %s is answered where there are few records',
    async (condition) => {
      for (const joined of [' and ', ' or ']) {
        const search = times(80, (which) => condition.replace('@', String(which)), joined)
        expect((await searchHosts(search)).status).toBe(200)
      }
    },
  )

  test('that comes to more comparisons than the setting allows is refused, and says which; three conditions never are', async () => {
    const limit = (value: number) => api.admin.put('/api/settings/search_comparisons_limit', { setting: { value } })
    await limit(1)
    const refused = await searchHosts(times(4, (which) => `facts.f${which} = 1`))
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({
      class: 'ScopedSearch::QueryNotSupported',
      message: expect.stringMatching(/^This search is too large: .* 1 million comparisons, .*search_comparisons_limit/),
    })
    expect((await searchHosts(times(3, (which) => `params.p${which} ~ 1`))).status).toBe(200)
    expect((await searchHosts(times(20, (which) => `hostgroup_id = ${which}`, ' or '))).status).toBe(200)
    expect(
      (await api.admin.delete('/api/hosts/bulk', { search: times(4, (which) => `facts.f${which} = 1`) })).status,
    ).toBe(400)
    await limit(50)
    expect((await searchHosts(times(4, (which) => `facts.f${which} = 1`))).status).toBe(200)
  })

  test('of a filter is refused when it would make every request of the role expensive', async () => {
    const { id: role } = await given(api.admin, 'role')
    const permissions = await api.admin.get('/api/permissions?search=name%20%3D%20view_hosts')
    const filter = { role_id: role, permission_ids: [permissions.body.results[0].id] }
    const search = times(40, (which) => `facts.f${which} = 1`, ' or ')
    const refused = await api.admin.post('/api/filters', { filter: { ...filter, search } })
    expect(refused.status).toBe(422)
    expect(refused.body.error.errors.search).toEqual([expect.stringContaining('is too large for a filter')])
    const { status } = await api.admin.post('/api/filters', {
      filter: { ...filter, search: 'facts.f = 1 or name ~ web' },
    })
    expect(status).toBe(201)
  })

  test('is read up to a length, an order up to another', async () => {
    const longest = `name ^ (${'a '.repeat(MAX_LENGTH / 2).slice(0, MAX_LENGTH - 9)})`
    expect((await searchHosts(longest)).status).toBe(200)
    const { status, body } = await searchHosts(`${longest} `)
    expect(status).toBe(400)
    expect(body.error.message).toBe(`A search can have at most ${MAX_LENGTH} characters`)
    expect((await api.admin.get(`/api/hosts?order=${'a'.repeat(2000)}`)).body.error.message.length).toBeLessThan(200)
  })
})

describe('a completion', () => {
  const complete = (search: string) =>
    api.admin.get(`/api/hosts/auto_complete_search?search=${encodeURIComponent(search)}`)

  test('of more than is typed says so', async () => {
    for (const search of ['('.repeat(1_000_000), 'x'.repeat(MAX_TYPED + 1)]) {
      const { status, body, text } = await complete(search)
      expect(status).toBe(200)
      expect(body).toEqual([{ error: `A search is completed up to ${MAX_TYPED} characters` }])
      expect(text.length).toBeLessThan(1000)
    }
  })

  test('has so many suggestions, each not much longer than what was typed', async () => {
    await given(api.admin, 'host', { comment: 'long '.repeat(1000) })
    for (const search of ['('.repeat(MAX_TYPED), `${' '.repeat(MAX_TYPED - 9)}comment =`, 'comment = ']) {
      const { body } = await complete(search)
      expect(body.length).toBeLessThanOrEqual(MAX_SUGGESTIONS)
      for (const { label } of body) expect(label.length).toBeLessThanOrEqual(search.length + 2 * MAX_VALUE + 3)
    }
  })
})

describe('a number', () => {
  let numbers = 0
  const inBody = (source: string) =>
    api.admin.send({
      method: 'POST',
      url: '/api/common_parameters',
      headers: { 'content-type': 'application/json' },
      payload: `{"common_parameter": {"name": "number_${++numbers}", "parameter_type": "json", "value": ${source}}}`,
    })

  test.each([
    '1e999',
    '-1e400',
    '9'.repeat(100_000),
    `0.${'1'.repeat(100_000)}`,
    '1e-99999',
    `1e${'9'.repeat(100_000)}`,
    `[{"deep": 1e131071}]`,
  ])('that is infinite for computers, or has no end for people, is refused', async (source) => {
    const { status, text } = await inBody(source)
    expect(status).toBe(400)
    expect(text).toContain('must be less than 1.8e308 and take less than 1000 digits')
  })

  test('is stored as it was written up to there', async () => {
    for (const source of ['9'.repeat(308), '1.50', '2e10', `0.${'1'.repeat(500)}`]) {
      const { status, text } = await inBody(source)
      expect(status, text).toBe(201)
    }
  })

  test.each(['page', 'per_page'])('of 100,000 digits as %s is refused in short', async (parameter) => {
    const { status, text } = await api.admin.get(`/api/hosts?${parameter}=${'9'.repeat(100_000)}`)
    expect(status).toBe(400)
    expect(text.length).toBeLessThan(2000)
  })

  test.each(['id = @', 'created_at = @', 'last_report > "@-01-01"', 'hostgroup_id ^ (@, 1)', 'status.enabled = @'])(
    'of 100,000 digits in %s is refused',
    async (search) => {
      expect((await searchHosts(search.replace('@', '9'.repeat(100_000)))).status).toBe(400)
    },
  )
})

describe('a text of YAML', () => {
  test.each([
    ['deep lists', '['.repeat(100_000)],
    ['deep dashes', '- '.repeat(50_000)],
    ['deep maps', '{a: '.repeat(20_000)],
    [
      'laughing aliases',
      times(
        12,
        (level) => `a${level}: &a${level} [${times(10, () => (level ? `*a${level - 1}` : 'lol'), ', ')}]`,
        '\n',
      ),
    ],
    ['numbers without end', '9'.repeat(100_000)],
  ])('with %s is no value', async (_, value) => {
    const parameter = { name: 'yaml', parameter_type: 'yaml', value }
    const { status } = await api.admin.post('/api/common_parameters', { common_parameter: parameter })
    expect([422, 500]).toContain(status)
    expect((await api.admin.get('/api/common_parameters?search=name%20%3D%20yaml')).body.subtotal).toBe(0)
  })
})
