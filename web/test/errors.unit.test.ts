import { expect, test } from 'vitest'
import { type ErrorCode, type ErrorDetails, Failure } from '../../src/errors.ts'
import { toErrorAnswer } from '../../src/http/answers/errors.ts'
import { errorOf } from '../src/api/error.ts'

const errors = { name: ["can't be blank"] }

/** Every reason for which a request fails, with what comes with it. */
const REASONS: Readonly<Record<ErrorCode, ErrorDetails>> = {
  malformed: {},
  bad_parameter: { class: 'x', parameter: 'page' },
  wrong_organization: {},
  bad_search: { class: 'x', position: 3 },
  unauthenticated: {},
  locked_out: {},
  disabled_account: {},
  session_expired: {},
  denied: { missingPermissions: ['view_hosts'] },
  not_found: {},
  parent_not_found: {},
  context_not_found: {},
  unroutable: {},
  conflict: {},
  precondition_failed: {},
  too_large: {},
  wrong_media_type: {},
  invalid: { errors },
  unknown_reference: {},
  // The console asks for these by field, as those of all other records: expectSameByField in test/support has that.
  validation_failed: { errors },
  import_failed: {},
  no_import_source: {},
  unavailable: {},
}

test('what the service knows the reason of is no fault of it, whatever the status, and its fields have their messages', () => {
  const found = (['core', 'content'] as const).flatMap((surface) =>
    Object.entries(REASONS).flatMap(([code, details]) => {
      // What only the core surface has is not sent by the other one.
      if (code === 'validation_failed' || (surface === 'content' && /import/.test(code))) return []
      const { status, body } = toErrorAnswer(new Failure(code as ErrorCode, 'the reason', details), surface) // its own keys
      const { problem, fields } = errorOf(status, body)
      return problem === 'fault' || (details.errors && fields.name?.[0] !== errors.name[0])
        ? [`${surface} ${code}`]
        : []
    }),
  )
  expect(found).toEqual([])
  const { status, body } = toErrorAnswer(new Error('a mistake of ours'))
  expect(errorOf(status, body).problem).toBe('fault')
})
