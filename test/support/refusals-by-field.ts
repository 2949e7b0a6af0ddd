import { expect } from 'vitest'
import { errorOf } from '../../web/src/api/error.ts'
import type { Reply } from './api.ts'

/**
 * Expects of an answer to a request that prefers errors by field: that it refuses with 422 as for every other record, that
 * each message belongs to a field that the request can send, that it says no less than the sentences of the contract, and
 * that the console shows it as a mistake, not as a fault of the service.
 */
export function expectSameByField({ status, body, text }: Reply, sentences: string, fields: readonly string[]): void {
  expect(status, text).toBe(422)
  expect(Object.keys(body.error)).toEqual(['id', 'errors', 'full_messages'])
  const named = Object.entries<string[]>(body.error.errors)
  expect(fields).toEqual(expect.arrayContaining(named.map(([field]) => field)))
  const said = named.flatMap(([field, messages]) => messages.filter(() => field !== 'override_values'))
  for (const message of said) expect(sentences).toContain(message)
  expect(named.flatMap(([, messages]) => messages)).toHaveLength(body.error.full_messages.length)
  expect(errorOf(status, body)).toMatchObject({ problem: 'invalid', fields: body.error.errors })
}
