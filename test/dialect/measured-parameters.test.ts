import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated } from '../support/api.ts'
import { given } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Answers of a running server about parameters (measured.md, Parameters), at the second port; test/api/parameters.test.ts
// tests the first.

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

interface Named {
  readonly name: string
}
const namesOf = (parameters: readonly Named[]): string[] => parameters.map(({ name }) => name)

describe.each([
  ['hosts', 'host', 'host_parameters'],
  ['hostgroups', 'hostgroup', 'group_parameters'],
  ['domains', 'domain', 'domain_parameters'],
  ['operatingsystems', 'operatingsystem', 'os_parameters'],
  ['subnets', 'subnet', 'subnet_parameters'],
  ['organizations', 'organization', 'organization_parameters'],
  ['locations', 'location', 'location_parameters'],
])('of %s', (path, word, list) => {
  const key = `${list}_attributes`
  const listed = [
    { name: 'a', value: '1' },
    { name: 'b', value: '2' },
  ]
  let at: string
  const put = (parameters: unknown) => api.theirs.put(at, { [word]: { [key]: parameters } })
  const stored = async () => namesOf((await api.theirs.get(at)).body.parameters)
  beforeAll(async () => {
    at = `/api/${path}/${(await given(api.ours, word, { [key]: listed })).id}`
  })

  test('a list replaces what there is', async () => {
    expect(await stored()).toEqual(['a', 'b'])
    expect(namesOf((await put([{ name: 'c', value: '3' }])).body.parameters)).toEqual(['c'])
    expect(await stored()).toEqual(['c'])
  })

  test.each([[[]], [null]])('%j clears it', async (nothing) => {
    await put(listed)
    expect((await put(nothing)).status).toBe(200)
    expect(await stored()).toEqual([])
  })

  test('without a list it stays', async () => {
    await put(listed)
    expect((await api.theirs.put(at, { [word]: {} })).status).toBe(200)
    expect(await stored()).toEqual(['a', 'b'])
  })

  test('a name twice is refused', async () => {
    await put(listed)
    const { status, body } = await put([
      { name: 'c', value: '1' },
      { name: 'c', value: '2' },
    ])
    expect({ status, errors: body.error.errors, said: body.error.full_messages }).toEqual({
      status: 422,
      errors: { [list]: ['Please ensure the following parameters name are unique'] },
      said: [expect.stringContaining('Please ensure the following parameters name are unique')],
    })
    expect(await stored()).toEqual(['a', 'b'])
  })

  test('errors of one have the name of the list before its own', async () => {
    const { status, body } = await put([{ name: '', value: '1' }])
    expect({ status, errors: body.error.errors, said: body.error.full_messages }).toEqual({
      status: 422,
      errors: { [`${list}.name`]: ["can't be blank"] },
      said: ["Name can't be blank"],
    })
  })

  test('a number stays one where the type is text', async () => {
    const { body } = await put([{ name: 'n', value: 42, parameter_type: 'string' }])
    expect(body.parameters).toMatchObject([{ name: 'n', value: 42, parameter_type: 'string' }])
  })
})

describe('of everybody', () => {
  const create = (parameter: object) =>
    expectCreated(api.theirs.post('/api/common_parameters', { common_parameter: parameter }))

  test('one alone shows `hidden_value` beside `hidden_value?`', async () => {
    for (const hidden of [true, false]) {
      const { id } = await create({ name: `hidden-${hidden}`, value: 'x', hidden_value: hidden })
      const { body } = await api.theirs.get(`/api/common_parameters/${id}`)
      expect(body).toMatchObject({ hidden_value: '*****', 'hidden_value?': hidden, value: hidden ? '*****' : 'x' })
    }
  })

  test('a number stays one where the type is text', async () => {
    const { id } = await create({ name: 'number', value: 42, parameter_type: 'string' })
    expect((await api.theirs.get(`/api/common_parameters/${id}`)).body.value).toBe(42)
  })
})
