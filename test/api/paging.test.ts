import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §2.2 and §2.3 with the deviations of docs/contract.md. There are seven architectures: a0 … a4, i386, x86_64.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
  for (let index = 0; index < 5; index++)
    await expectCreated(api.admin.post('/api/architectures', { name: `a${index}` }))
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function list(query: string) {
  const { status, body } = await api.admin.get(`/api/architectures?${query}`)
  if (status !== 200) return status
  const { page, per_page, total, subtotal, results } = body
  return { page, per_page, total, subtotal, names: results.map(({ name }: { name: string }) => name) }
}

const EVERYTHING = ['a0', 'a1', 'a2', 'a3', 'a4', 'i386', 'x86_64']
const whole = { page: 1, total: 7, subtotal: 7, names: EVERYTHING }

describe('pages', () => {
  test('of a size, the last one shorter, those beyond the end empty', async () => {
    expect(await list('per_page=3')).toMatchObject({ page: 1, per_page: 3, names: ['a0', 'a1', 'a2'] })
    expect(await list('per_page=3&page=3')).toEqual({ page: 3, per_page: 3, total: 7, subtotal: 7, names: ['x86_64'] })
    expect(await list('per_page=3&page=4')).toEqual({ page: 4, per_page: 3, total: 7, subtotal: 7, names: [] })
    expect(await list('per_page=7&page=2')).toMatchObject({ total: 7, names: [] })
    expect(await list('per_page=20&page=9007199254740991')).toMatchObject({ total: 7, names: [] })
  })

  test('all of it, with the total as size, whatever the page', async () => {
    expect(await list('per_page=all')).toEqual({ ...whole, per_page: 7 })
    expect(await list('per_page=all&page=3')).toEqual({ ...whole, page: 3, per_page: 7 })
    expect(await list('per_page=all&search=name+~+86')).toMatchObject({ per_page: 7, subtotal: 2 })
  })

  test('as large as clients like', async () => {
    expect(await list('per_page=4294967296')).toEqual({ ...whole, per_page: 4294967296 })
    expect(await list('per_page=9007199254740991')).toEqual({ ...whole, per_page: 9007199254740991 })
  })

  test('of a search: total before it, subtotal after it, also beyond the end and where nothing matches', async () => {
    expect(await list('search=name+~+a&per_page=2')).toMatchObject({ total: 7, subtotal: 5, names: ['a0', 'a1'] })
    expect(await list('search=name+~+a&per_page=2&page=9')).toMatchObject({ total: 7, subtotal: 5, names: [] })
    expect(await list('search=nothing')).toMatchObject({ total: 7, subtotal: 0, names: [] })
    expect(await list('search=')).toMatchObject({ total: 7, subtotal: 7 })
    expect(await list('search=+')).toMatchObject({ total: 7, subtotal: 7 })
  })

  test('that are no whole numbers from 1 on are refused', async () => {
    for (const value of [
      '0',
      '-1',
      'abc',
      '',
      '1.5',
      '1e3',
      '+1',
      '01',
      ' 1',
      '%00',
      'null',
      '9'.repeat(20),
      'ALL',
      '١',
    ]) {
      const encoded = value === '%00' ? value : encodeURIComponent(value)
      expect(await list(`page=${encoded}`), `page=${value}`).toBe(400)
      expect(await list(`per_page=${encoded}`), `per_page=${value}`).toBe(400)
    }
    expect(await list('page=all')).toBe(400)
  })

  test('that are given twice, or as lists, are refused', async () => {
    for (const name of ['page', 'per_page', 'search', 'order']) {
      const { status, body } = await api.admin.get(`/api/architectures?${name}=1&${name}=2`)
      expect(status, name).toBe(400)
      expect(body.error.parameter_name).toBe(name)
    }
    expect(await list('page[]=1')).toMatchObject({ page: 1 })
  })
})

describe('the echo', () => {
  test('of search and order is as it was sent', async () => {
    const echo = async (query: string) => {
      const { body } = await api.admin.get(`/api/architectures?${query}`)
      return [body.search, body.sort]
    }
    expect(await echo('search=+a0+')).toEqual([' a0 ', { by: null, order: null }])
    expect(await echo('search=')).toEqual(['', { by: null, order: null }])
    expect(await echo('order=name+DeSc')).toEqual([null, { by: 'name', order: 'DeSc' }])
    expect(await echo('order=')).toEqual([null, { by: null, order: null }])
    expect(await echo('order=+')).toEqual([null, { by: null, order: null }])
    expect(await echo(`search=${encodeURIComponent('"😀"')}`)).toEqual(['"😀"', { by: null, order: null }])
  })
})

describe('order', () => {
  test('is by name where none is asked for, and by any search field', async () => {
    expect(await list('')).toMatchObject({ names: EVERYTHING })
    expect(await list('order=name+DESC')).toMatchObject({ names: EVERYTHING.toReversed() })
    expect(await list('order=id')).toMatchObject({ names: ['x86_64', 'i386', 'a0', 'a1', 'a2', 'a3', 'a4'] })
  })

  test('by anything else is refused', async () => {
    for (const order of [
      'created_at',
      'nothing',
      'name,id',
      'name sideways',
      'name desc id',
      "name';--",
      'operatingsystems',
    ]) {
      expect(await list(`order=${encodeURIComponent(order)}`), order).toBe(400)
    }
  })
})

describe('suggestions', () => {
  async function suggested(search: string): Promise<string[]> {
    const { status, body } = await api.admin.get(
      `/api/architectures/auto_complete_search?search=${encodeURIComponent(search)}`,
    )
    expect(status).toBe(200)
    return body.map((item: { label?: string; error?: string }) =>
      (item.label ?? item.error ?? '').trim().replace(/ +/g, ' '),
    )
  }

  test('are fields first, then operators, then values', async () => {
    expect(await suggested('')).toEqual(expect.arrayContaining(['name', 'not', 'has']))
    expect(await suggested('name ')).toEqual(expect.arrayContaining(['name =', 'name !=', 'name ~']))
    expect(await suggested('name = a')).toEqual(['a0', 'a1', 'a2', 'a3', 'a4'].map((name) => `name = "${name}"`))
    expect(await suggested('name = "a0" ')).toEqual(expect.arrayContaining(['name = "a0" and', 'name = "a0" or']))
  })

  test('have the parts that a page needs', async () => {
    const { body } = await api.admin.get('/api/architectures/auto_complete_search?search=name+%3D+a0+and+na')
    expect(Object.keys(body[0])).toEqual(['completed', 'part', 'label', 'category'])
  })

  test('of a bad query are its error, still with 200', async () => {
    expect(await suggested('nothing = 1 and name = ')).toEqual([expect.stringMatching(/./)])
  })

  test('offer no values of records that the caller may not see', async () => {
    const limited = await api.can(['view_architectures'], { search: 'name = a1' })
    const { body } = await limited.get('/api/architectures/auto_complete_search?search=name+%3D+a')
    expect(body.map(({ label }: { label: string }) => label)).toEqual([expect.stringContaining('a1')])
    expect((await (await api.can([])).get('/api/architectures/auto_complete_search')).status).toBe(403)
  })
})
