import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Resource } from '../../src/kernel/definition.ts'
import type { SearchField } from '../../src/search/index.ts'
import { expectCreated, type Reply } from '../support/api.ts'
import { isInTurn } from '../support/cover.ts'
import { pathFor, resourceNamed, type Shown, wrapped } from '../support/given.ts'
import { names, turns } from './subjects.ts'
import { acceptable, bodies, knownScripts } from './values.ts'
import { openWorld, stopClocks, type World } from './world.ts'

let world: World
const paths = new Map<string, string>()
beforeAll(async () => {
  world = await openWorld()
  for (const name of names('list')) paths.set(name, await pathFor(world.api.admin, resourceNamed(name)))
  for (const name of turns('create')) if (paths.has(name)) await fill(resourceNamed(name))
  await stopClocks(world.api)
}, 120_000)
afterAll(() => world?.api[Symbol.asyncDispose]())

/** Creates records with every kind of value, and without values. */
async function fill(resource: Resource): Promise<void> {
  for (const body of fc.sample(bodies(resource, world.pool, { texts: knownScripts }), 6)) {
    const path = paths.get(resource.name) ?? ''
    const { status, text } = await world.api.admin.post(path, wrapped(resource, acceptable(resource, body)))
    if (status !== 201) throw new Error(`${JSON.stringify(body)} was refused: ${text}`)
  }
}

const PER_PAGE = 3
/** The number of records that suffices for lists with many fields. */
const MOST_ROWS = 60

const linkOf = ({ headers }: Reply) => /<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
const idsOf = ({ body }: Reply) => body.results.map(({ id }: Shown) => id)

const shapes = new Map<string, number>()

/** Tells whether enough fields of this shape were ordered by, because they produce equal SQL: of those a part takes turns. */
function isOften({ type, through = [], expression, nullable, many }: SearchField): boolean {
  const shape = JSON.stringify([type, through.length, Boolean(expression), nullable, many])
  const seen = (shapes.get(shape) ?? 0) + 1
  shapes.set(shape, seen)
  return seen > 8
}

describe.each(turns('list'))('%s', (name) => {
  const { searchSchema } = resourceNamed(name)
  const fields = searchSchema.fields.filter(({ key, column, expression }) => !key && (column !== null || expression))

  test('pages by key, put together, are the list in any order', async () => {
    const { admin } = world.api
    const inTurn = fields.filter((field) => !isOften(field) || isInTurn(`${name} ${field.name}`))
    const orders = inTurn.flatMap((field) => [`${field.name} asc`, `${field.name} desc`])
    for (const order of ['', ...orders]) {
      const list = `${paths.get(name)}?order=${encodeURIComponent(order)}`
      const whole = await admin.get(`${list}&per_page=all`)
      expect({ order, status: whole.status }).toEqual({ order, status: 200 })
      expect(linkOf(whole)).toBeUndefined()
      if (whole.body.results.length > MOST_ROWS && order !== '') continue
      const first = await admin.get(`${list}&per_page=${PER_PAGE}&after=`)
      expect(first.text).toBe((await admin.get(`${list}&per_page=${PER_PAGE}`)).text)
      const ids: number[] = idsOf(first)
      for (let next = linkOf(first); next !== undefined; ) {
        const page = await admin.get(next)
        expect(page.body.results.length).toBeLessThanOrEqual(PER_PAGE)
        expect({ total: page.body.total, subtotal: page.body.subtotal }).toEqual({
          total: whole.body.total,
          subtotal: whole.body.subtotal,
        })
        ids.push(...idsOf(page))
        next = linkOf(page)
      }
      expect({ order, ids }).toEqual({ order, ids: idsOf(whole) })
    }
  })
})

test('a cursor goes on in the list, search, place and for the caller that it was made for, and nowhere else', async () => {
  const { admin } = world.api
  const authorization = await otherAdministrator()
  const other = world.api.as({ authorization })
  const location = (await admin.get('/api/locations?per_page=1')).body.results[0].id
  const walked = new Map<string, string>()
  for (const path of new Set(paths.values())) {
    const next = linkOf(await admin.get(`${path}?per_page=1&after=`))
    if (next) walked.set(path, new URLSearchParams(next.split('?')[1]).get('after') ?? '')
  }
  expect(walked.size).toBeGreaterThan(20)
  const wrong: string[] = []
  const all = [...walked]
  for (const [at, [path, cursor]] of all.entries()) {
    const [elsewhere = ''] = all[(at + 1) % all.length] ?? []
    const after = `per_page=1&after=${encodeURIComponent(cursor)}`
    expect({ path, status: (await admin.get(`${path}?${after}`)).status }).toEqual({ path, status: 200 })
    const asked: Record<string, Promise<Reply>> = {
      [`in ${elsewhere}`]: admin.get(`${elsewhere}?${after}`),
      'by somebody else': other.get(`${path}?${after}`),
      'with a search': admin.get(`${path}?${after}&search=x`),
      'in a location': admin.get(`${path}?${after}&location_id=${location}`),
    }
    for (const [how, sent] of Object.entries(asked)) {
      const { status } = await sent.catch(() => ({ status: 500 }))
      if (status !== 400 && status !== 404) wrong.push(`${status} for a cursor of ${path} ${how}`)
    }
  }
  expect(wrong).toEqual([])
})

/** Creates another administrator and yields how they log in. */
async function otherAdministrator(): Promise<string> {
  const user = { login: 'other', password: 'long enough', auth_source_id: 1, admin: true }
  const { id } = await expectCreated(world.api.admin.post('/api/users', { user }))
  const token = await expectCreated(world.api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: 'walk' }))
  return `Bearer ${token.token_value}`
}
