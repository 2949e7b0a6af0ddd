import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '../../src/requests/route.ts'
import { checkAnswer } from '../support/answers.ts'

const route: Route = {
  method: 'GET',
  path: '/api/things',
  id: 'things.list',
  group: 'things',
  summary: 'For this test',
  access: { kind: 'public' },
  answers: {
    200: z.object({ results: z.array(z.object({ id: z.int(), owner: z.object({ name: z.string() }).nullable() })) }),
    204: null,
  },
  handle: async () => ({ status: 204 }),
}

function answered(status: number, body: unknown, reached: Route | undefined = route) {
  return () =>
    checkAnswer({ request: 'GET "/api/things"', route: reached, status, text: JSON.stringify(body), isJson: true })
}

test('an answer as declared passes', () => {
  expect(
    answered(200, {
      results: [
        { id: 1, owner: null },
        { id: 2, owner: { name: 'x' } },
      ],
    }),
  ).not.toThrow()
  expect(
    answered(422, {
      error: { id: null, errors: { name: ["can't be blank"] }, full_messages: ["Name can't be blank"] },
    }),
  ).not.toThrow()
})

test('a key that is not declared, however deep, a missing one and a wrong type do not', () => {
  expect(answered(200, { results: [], more: 1 })).toThrow('more')
  expect(answered(200, { results: [{ id: 1, owner: { name: 'x', password: 'y' } }] })).toThrow('password')
  expect(answered(200, { results: [{ id: 1 }] })).toThrow('owner')
  expect(answered(200, { results: [{ id: '1', owner: null }] })).toThrow('id')
})

test('a value that does not fit a parameter is the one 500 that passes, and there alone', () => {
  const refusal = { error: { message: 'Validation failed: Default value is invalid' } }
  const parameters: Route = { ...route, id: 'smart_class_parameters.update', group: 'smart_class_parameters' }
  expect(answered(500, refusal, parameters)).not.toThrow()
  expect(answered(500, { error: { message: 'Internal Server Error' } }, parameters)).toThrow('a fault of the server')
  expect(answered(500, { ...refusal, more: 1 }, parameters)).toThrow('not the documented body')
  expect(answered(500, refusal)).toThrow('a fault of the server')
})

test('neither does a status that is not declared, a refusal of another shape, a fault, or an answer of no route', () => {
  expect(answered(201, { results: [] })).toThrow('declares 200, 204 only')
  expect(answered(422, { errors: {} })).toThrow('not the documented body')
  expect(answered(418, { error: { message: 'x' } })).toThrow('no refusal is documented')
  expect(answered(500, { error: { message: 'x' } })).toThrow('a fault of the server')
  expect(() => checkAnswer({ request: 'GET "/x"', route: undefined, status: 200, text: '{}', isJson: true })).toThrow(
    'no route declares it',
  )
})
