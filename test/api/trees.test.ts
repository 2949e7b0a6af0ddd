import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomFrom } from '../fuzz/random.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { seedOfRun } from '../support/seed.ts'

// Core-api §5.1, for locations; organizations have the same declaration (the laws run on both).

let api: TestApi
let count = 0

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

interface Node {
  readonly id: number
  readonly title: string
}

async function make(name: string, parent_id: number | null = null): Promise<Node> {
  return expectCreated(api.admin.post('/api/locations', { name, parent_id }))
}

/** Creates a tree `root > branch > leaf` with unique names. */
async function newTree() {
  const own = ++count
  const root = await make(`root${own}`)
  const branch = await make(`branch${own}`, root.id)
  const leaf = await make(`leaf${own}`, branch.id)
  return { own, root, branch, leaf }
}

const put = (id: number, body: object) => api.admin.put(`/api/locations/${id}`, body)
const get = async (id: number) => (await api.admin.get(`/api/locations/${id}`)).body

describe('a tree', () => {
  test('knows titles, ancestors and parents', async () => {
    const { own, root, branch, leaf } = await newTree()
    expect(await get(leaf.id)).toMatchObject({
      title: `root${own}/branch${own}/leaf${own}`,
      ancestry: `${root.id}/${branch.id}`,
      parent_id: branch.id,
      parent_name: `root${own}/branch${own}`,
    })
    expect(await get(root.id)).toMatchObject({ ancestry: null, parent_id: null, parent_name: null })
  })

  test('renames everything below', async () => {
    const { own, root, leaf } = await newTree()
    expect((await put(root.id, { name: `Root ${own}` })).body.title).toBe(`Root ${own}`)
    expect((await get(leaf.id)).title).toBe(`Root ${own}/branch${own}/leaf${own}`)
  })

  test('moves everything below, to the root as well', async () => {
    const { own, root, branch, leaf } = await newTree()
    const other = await make(`other${own}`)
    await put(branch.id, { parent_id: other.id })
    expect(await get(leaf.id)).toMatchObject({
      title: `other${own}/branch${own}/leaf${own}`,
      ancestry: `${other.id}/${branch.id}`,
    })
    await put(branch.id, { parent_id: null })
    expect(await get(leaf.id)).toMatchObject({ title: `branch${own}/leaf${own}`, ancestry: `${branch.id}` })
    await put(branch.id, { parent_name: `root${own}` })
    expect(await get(leaf.id)).toMatchObject({ ancestry: `${root.id}/${branch.id}` })
  })

  test('moves even where the title stays the same', async () => {
    const { own, root } = await newTree()
    const slashed = await make(`root${own}/deep`)
    const { status, body } = await put(slashed.id, { name: 'deep', parent_id: root.id })
    expect(status).toBe(200)
    expect(body).toMatchObject({ title: `root${own}/deep`, parent_id: root.id, ancestry: `${root.id}` })
  })

  test('takes no loops', async () => {
    const { root, branch, leaf } = await newTree()
    for (const parent_id of [root.id, branch.id, leaf.id]) {
      expect(await put(root.id, { parent_id })).toMatchObject({
        status: 422,
        body: {
          error: { id: root.id, errors: { parent_id: [expect.stringMatching(/itself or one of its descendants/)] } },
        },
      })
    }
    expect(await get(root.id)).toMatchObject({ parent_id: null, ancestry: null })
  })

  test('has no siblings of the same name, whatever the case', async () => {
    const { own, root, branch } = await newTree()
    for (const name of [`branch${own}`, `BRANCH${own}`, ` Branch${own} `]) {
      expect(await api.admin.post('/api/locations', { name, parent_id: root.id })).toMatchObject({
        status: 422,
        body: { error: { errors: { name: ['has already been taken'] } } },
      })
    }
    await make(`branch${own}`, branch.id)
    expect((await put(branch.id, { name: `BRANCH${own}` })).body.title).toBe(`root${own}/BRANCH${own}`)
  })

  test('folds the case of every script', async () => {
    const { root } = await newTree()
    await make('ÄÖÜ-Москва', root.id)
    expect((await api.admin.post('/api/locations', { name: 'äöü-МОСКВА', parent_id: root.id })).status).toBe(422)
  })

  test('is not deleted while something is nested in it', async () => {
    const { own, root, branch, leaf } = await newTree()
    expect(await api.admin.delete(`/api/locations/${branch.id}`)).toMatchObject({
      status: 409,
      body: { message: `Cannot delete root${own}/branch${own} because it has nested locations.` },
    })
    for (const { id } of [leaf, branch, root]) expect((await api.admin.delete(`/api/locations/${id}`)).status).toBe(200)
  })

  test('refuses parents that are not there, or not the caller’s', async () => {
    const { root, branch } = await newTree()
    const message = "Couldn't find Location with 'id'=9999"
    expect((await put(root.id, { parent_id: 9999 })).body).toEqual({ error: { message } })
    const member = await api.can(['view_locations', 'create_locations', 'edit_locations'], {
      location_ids: [branch.id],
    })
    const foreign = await make(`foreign${++count}`)
    expect((await member.post('/api/locations', { name: 'x', parent_id: foreign.id })).status).toBe(422)
    expect((await member.put(`/api/locations/${branch.id}`, { parent_id: foreign.id })).status).toBe(422)
    expect((await member.post('/api/locations', { name: 'x', parent_id: branch.id })).status).toBe(201)
  })

  test('takes names of 255 characters of any script until the title is too long to be told apart', async () => {
    const random = randomFrom(seedOfRun())
    const letters = () => Array.from({ length: 254 }, () => String.fromCodePoint(0x20000 + random.below(0xa000)))
    let parent: number | null = null
    const answers: number[] = []
    for (let depth = 0; depth < 8; depth++) {
      const { status, body } = await api.admin.post('/api/locations', { name: letters().join(''), parent_id: parent })
      answers.push(status)
      if (status !== 201) break
      parent = body.id
    }
    expect(answers[0]).toBe(201)
    expect(answers.at(-1)).toBe(422)
  })
})

describe('two moves at the same time', () => {
  test('never make a loop', async () => {
    for (let round = 0; round < 5; round++) {
      const own = ++count
      const [a, b] = [await make(`a${own}`), await make(`b${own}`)]
      const answers = await Promise.all([put(a.id, { parent_id: b.id }), put(b.id, { parent_id: a.id })])
      expect(answers.map(({ status }) => status).sort()).toSatisfy(
        ([first, second]: number[]) => first === 200 && (second === 422 || second === 409),
      )
      const [after, other] = [await get(a.id), await get(b.id)]
      expect([after.parent_id, other.parent_id].filter((parent) => parent !== null)).toHaveLength(1)
    }
  })

  test('of a node and of its parent leave the right titles', async () => {
    const { own, root, branch, leaf } = await newTree()
    const other = await make(`else${own}`)
    const answers = await Promise.all([
      put(branch.id, { parent_id: other.id }),
      put(root.id, { name: `renamed${own}` }),
      put(leaf.id, { name: `blade${own}` }),
    ])
    const retried = [branch.id, root.id, leaf.id]
    const bodies = [{ parent_id: other.id }, { name: `renamed${own}` }, { name: `blade${own}` }]
    for (const [index, { status }] of answers.entries()) {
      expect([200, 409]).toContain(status)
      if (status === 409) await put(retried[index] ?? 0, bodies[index] ?? {})
    }
    expect((await get(leaf.id)).title).toBe(`else${own}/branch${own}/blade${own}`)
    expect((await get(root.id)).title).toBe(`renamed${own}`)
  })
})
