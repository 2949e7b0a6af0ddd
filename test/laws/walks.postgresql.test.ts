import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Resource } from '../../src/kernel/definition.ts'
import type { Reply } from '../support/api.ts'
import { pathFor, resourceNamed, type Shown, wrapped } from '../support/given.ts'
import { names } from './subjects.ts'
import { acceptable, bodies, knownScripts } from './values.ts'
import { openWorld, stopClocks, type World } from './world.ts'

let world: World
const paths = new Map<string, string>()
beforeAll(async () => {
  world = await openWorld()
  for (const name of names('list')) paths.set(name, await pathFor(world.api.admin, resourceNamed(name)))
  for (const name of names('create')) if (paths.has(name)) await fill(resourceNamed(name))
  await stopClocks(world.api)
}, 120_000)
afterAll(() => world.api[Symbol.asyncDispose]())

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

describe.each(names('list'))('%s', (name) => {
  const { searchSchema } = resourceNamed(name)
  const fields = searchSchema.fields.filter(({ key, column, expression }) => !key && (column !== null || expression))

  test('pages by key, put together, are the list in any order', async () => {
    const { admin } = world.api
    const orders = fields.flatMap((field) => [`${field.name} asc`, `${field.name} desc`])
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
