import fc from 'fast-check'
import { MessageParser } from 'ldapts'
import { describe, expect, test } from 'vitest'
import { checkMessage } from '../../src/directory/messages.ts'
import { entryMessage, OPERATION, resultMessage } from '../support/directories/ldap-message.ts'

const BIND_RESPONSE = 0x61
const PAGED = `a01a 3018 0416 ${Buffer.from('1.2.840.113556.1.4.319').toString('hex')}`

const VALID: Record<string, Buffer> = {
  'bind response': hex('300c020102 61070a010004000400'),
  'bind refused': resultMessage(2, BIND_RESPONSE, 49, 'no'),
  'search done': resultMessage(300, OPERATION.searchDone, 4, 'too many'),
  'search done with referral': resultMessage(3, OPERATION.searchDone, 10, '', ['ldap://a.test/dc=b']),
  'search done with control': hex(`3028020104 65070a010004000400 ${PAGED}`),
  entry: entryMessage(5, 'uid=alice,dc=example,dc=test'),
  'entry with values': hex('301a020106 6415 0401 61 3010 300e 0402 636e 3108 0402 6161 0402 6262'),
  reference: hex('300c020107 7307 0405 6c6461703a'),
  'extended response': resultMessage(8, OPERATION.extendedResponse, 0),
}

const INVALID: Record<string, Buffer> = {
  nothing: hex(''),
  'an empty sequence': hex('3000'),
  'a reference longer than its message': hex('3007020102 7302 047f'),
  'a reference of a negative length': hex('300b020102 7306 0484ffffffff'),
  'attributes longer than their message': hex('300a020102 6405 0401 61 307f'),
  'attributes that are a string': hex('300d020102 6408 0401 61 0403 300104'),
  'a value that is no string': hex('3014020106 640f 0401 61 300a 3008 0402 636e 3102 3000'),
  'a result of no length': hex('300b020102 61060a0004000400'),
  'a bind response with a broken rest': hex('300e020102 61090a010004000400 877f'),
  'a control longer than its message': hex('3010020102 61070a010004000400 a002307f'),
  'an unknown operation': hex('300c020102 79070a010004000400'),
  'a length of five bytes': hex('3085000000000c020102'),
  'no definite length': hex('3080020102 61070a010004000400 0000'),
  'two messages': Buffer.concat([hex('300c02010261070a010004000400'), hex('300c02010261070a010004000400')]),
}

describe('messages of a server', () => {
  test.each(Object.entries(VALID))('%s is one', (_, bytes) => {
    expect(checkMessage(bytes)).not.toBeNull()
  })

  test.each(Object.entries(INVALID))('%s is none', (_, bytes) => {
    expect(checkMessage(bytes)).toBeNull()
  })

  test('the code that ends a search is read', () => {
    expect(checkMessage(resultMessage(3, OPERATION.searchDone, 4, ''))).toEqual({ searchResult: 4 })
    expect(checkMessage(resultMessage(3, BIND_RESPONSE, 4, ''))).toEqual({ searchResult: null })
  })

  test('the client library reads every message that passes the check to its end, whatever bytes are damaged', () => {
    const damage = fc.array(fc.record({ at: fc.nat(80), by: fc.nat(255) }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(VALID)), damage, (message, bytes) => {
        const damaged = Buffer.from(message)
        for (const { at, by } of bytes) damaged[at % damaged.length] = by
        if (!checkMessage(damaged)) return
        const parser = new MessageParser()
        let outcomes = 0
        parser.on('message', () => outcomes++)
        parser.on('error', () => outcomes++)
        parser.read(damaged, new Map())
        expect(outcomes).toBe(1)
      }),
      { numRuns: 10_000 },
    )
  })
})

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex')
}
