import { describe, expect, test } from 'vitest'
import { serverUrlOf } from '../../src/areas/configuration/import/sources/server.ts'
import { cast, isTemplate } from '../../src/classification/cast.ts'
import { parseMatch } from '../../src/classification/matchers.ts'
import { parseCommonName } from '../../src/http/access/client-certificate.ts'
import { CONFIG_SERVER_SETTING as SETTING } from '../../src/words/protocols.ts'

// Texts on which an ambiguous pattern would backtrack for minutes and block the process.

const MANY = 400_000

describe('a long text is read in one go', () => {
  test('digits that are no real', () => {
    expect(() => cast('real', `${'1'.repeat(MANY)}x`)).toThrow('must be a number')
    expect(() => cast('real', `${'1'.repeat(MANY)}.${'1'.repeat(MANY)}x`)).toThrow('must be a number')
  })

  test('tags that are opened and never closed', () => {
    expect(isTemplate('<%'.repeat(MANY))).toBe(false)
    expect(isTemplate(`${'<%'.repeat(MANY)}%>`)).toBe(true)
  })

  test('blanks, commas and equals signs within a match text', () => {
    const [blanks, commas, signs] = [' ', ',', '='].map((character) => character.repeat(MANY))
    expect(parseMatch(`os=a${blanks}b`).values).toEqual([`a${blanks}b`])
    expect(parseMatch(`os=a${commas}domain=b`).complete).toBe(false)
    expect(parseMatch(`os${signs}b`).text).toBe('os=b')
  })

  test('blanks within a subject', () => {
    expect(parseCommonName(`CN=a${' '.repeat(MANY)}b`)).toHaveLength(1)
  })

  test('slashes within the URL of a server', () => {
    expect(serverUrlOf({ [SETTING]: `https://a${'/'.repeat(MANY)}b` })).toBe(null)
    expect(serverUrlOf({ [SETTING]: 'https://a:8140//' })).toBe('https://a:8140')
  })
})

test.each(['1', '-1.', '+.5', '1.50', '1e3', '1.e-3', '0x1F'])('%s is a real still', (text) => {
  expect(cast('real', text)).toBe(Number(text))
})

test.each(['', '.', '1.2.3', 'e3', '1e', '--1'])('%j is none still', (text) => {
  expect(() => cast('real', text)).toThrow('must be a number')
})

test.each([
  ['a <% b %>', true],
  ['%> <%', false],
  ['<%>', false],
  ['<%%>', true],
  ['<%\n%>', true],
])('%j holds a template: %j', (text, is) => {
  expect(isTemplate(text)).toBe(is)
})
