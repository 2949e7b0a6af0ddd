import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const linkOf = ({ headers }: Reply) => /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
const namesOf = ({ body }: Reply): string[] => body.results.map(({ name }: Shown) => name)

async function models(prefix: string, numbers: readonly number[]): Promise<Shown[]> {
  return Promise.all(numbers.map((n) => given(api.admin, 'model', { name: `${prefix}-${String(n).padStart(2, '0')}` })))
}

test('a walk yields every record that exists all the time exactly once, whatever is created and deleted meanwhile', async () => {
  const prefix = unique('walked')
  const made = await models(prefix, [10, 20, 30, 40, 50, 60, 70])
  const path = `/api/models?search=${encodeURIComponent(`name ~ ${prefix}`)}&order=name&per_page=2`
  const first = await api.admin.get(`${path}&after=`)
  expect(namesOf(first)).toEqual([`${prefix}-10`, `${prefix}-20`])
  // Records before and behind the position, and the record of the position itself.
  await models(prefix, [5, 15, 45])
  for (const at of [0, 1, 4]) await api.admin.delete(`/api/models/${made[at]?.id}`)
  const seen = [...namesOf(first)]
  let page = first
  for (let next = linkOf(first); next; next = linkOf(page)) {
    page = await api.admin.get(next)
    expect(page.body).toMatchObject({ subtotal: 7, page: 1, per_page: 2 })
    seen.push(...namesOf(page))
  }
  expect(seen).toEqual([10, 20, 30, 40, 45, 60, 70].map((n) => `${prefix}-${n}`))
})

test('a page costs the same statements wherever it is, and only the first one counts', async () => {
  const prefix = unique('counted')
  await models(prefix, [1, 2, 3, 4, 5, 6, 7, 8])
  for (const search of ['', `&search=${encodeURIComponent(`name ~ ${prefix}`)}`]) {
    let next: string | undefined = `/api/models?per_page=2&order=name${search}&after=`
    const counts: number[] = []
    while (next !== undefined) {
      await given(api.admin, 'model', { name: unique('between') }) // cached counts are invalid now
      const path = next
      const { texts, result: page } = await api.counting((): Promise<Reply> => api.admin.get(path))
      counts.push(texts.filter((text) => text.includes('models')).length)
      next = linkOf(page)
    }
    expect(counts.length).toBeGreaterThan(3)
    expect(counts.slice(1)).toEqual(counts.slice(1).map(() => 1))
  }
})

test('an invalid cursor is refused with the name of the parameter', async () => {
  await models(unique('refused'), [1, 2, 3])
  const refused = async (query: string) => {
    const { status, body } = await api.admin.get(`/api/models?${query}`)
    return { status, parameter: body.error.parameter_name }
  }
  const bad = { status: 400, parameter: 'after' }
  expect(await refused('after=7')).toEqual(bad)
  expect(await refused('after=&page=2')).toEqual(bad)
  const next = linkOf(await api.admin.get('/api/models?per_page=1&order=name&after='))
  expect(next).toMatch(/^\/api\/models\?per_page=1&order=name&after=./)
  const cursor = new URLSearchParams(next?.split('?')[1]).get('after') ?? ''
  expect(await refused(`per_page=1&order=name+DESC&after=${encodeURIComponent(cursor)}`)).toEqual(bad)
  expect(await refused(`per_page=1&order=name&after=${encodeURIComponent(cursor.slice(0, -8))}`)).toEqual(bad)
  await given(api.admin, 'domain')
  const elsewhere = `per_page=1&order=name&after=${encodeURIComponent(cursor)}`
  expect((await api.admin.get(`/api/models?${elsewhere.replace('per_page=1', 'per_page=2')}`)).status).toBe(200)
  const { status, body } = await api.admin.get(`/api/domains?${elsewhere}`)
  expect({ status, parameter: body.error.parameter_name }).toEqual(bad)
  expect(body.error.message).toContain('must be empty, or what an answer to the same request said')
  expect((await api.admin.get('/api/models?per_page=all&after=')).headers.link).toBeUndefined()
})

test('a limited caller walks over visible records only, also below a parent', async () => {
  const prefix = unique('seen')
  await models(prefix, [1, 2, 3, 4, 5])
  const ada = await api.can(['view_models'], { search: `name ^ (${prefix}-02, ${prefix}-04, ${prefix}-05)` })
  const first = await ada.get('/api/models?per_page=2&after=')
  const second = await ada.get(linkOf(first) ?? '')
  expect([...namesOf(first), ...namesOf(second)]).toEqual([2, 4, 5].map((n) => `${prefix}-0${n}`))
  expect(second.body.total).toBe(3)
})
