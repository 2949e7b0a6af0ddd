import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExact, parseRemembering, readExactly, toPlain } from '../../src/lib/lossless-json.ts'

const LOSSY = ['2.0', '0.10', '1e3', '1.5E-3', '9007199254740993', '-0', '123456789.12345678901', '1e200', '100.00']
const SAFE = ['0', '2', '-17', '1.5', '0.1', '9007199254740991', '-1.25']

describe('numbers in JSON', () => {
  test.each([...LOSSY, ...SAFE])('%s is printed as it was written, wherever it stands', (number) => {
    for (const text of [number, `[${number}]`, `{"a":${number}}`, `{"a":[1,{"b":${number}}],"c":"x"}`]) {
      expect(JSON.stringify(parseExact(text))).toBe(text)
      expect(JSON.stringify(parseRemembering(text))).toBe(JSON.stringify(JSON.parse(text)))
      expect(toPlain(parseExact(text))).toEqual(JSON.parse(text))
    }
    const sent = parseRemembering(`{"a":${number},"b":[{"c":${number}}]}`) as { b: object } // as it is written there
    expect(JSON.stringify(readExactly(sent, 'a'))).toBe(number)
    expect(JSON.stringify(readExactly(sent, 'b'))).toBe(`[{"c":${number}}]`)
  })

  test('that look alike in texts change nothing', () => {
    const text = '{"version":"2.0","key 1e3":[" 2.0 ","9007199254740993"],"__proto__":{"x":2.0}}'
    expect(JSON.stringify(parseExact(text))).toBe(text)
    expect(JSON.stringify(readExactly({ text: parseRemembering(text) }, 'text'))).toBe(text)
  })

  test.each(['1e400', '-1e309', '1e-1000', '9'.repeat(1000)])('%s is refused by its key', (number) => {
    expect(() => parseRemembering(`{"a":[1,{"b":${number}}]}`)).toThrow("the number of 'b' must be less than")
  })

  test('random documents are what JSON.parse makes of them, and come out with their numbers', () => {
    const number = fc.oneof(
      fc.constantFrom(...LOSSY, ...SAFE),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    )
    const { document } = fc.letrec<{ document: string }>((tie) => ({
      document: fc.oneof(
        { maxDepth: 4 },
        number,
        fc.string().map((text) => JSON.stringify(text)),
        fc.array(tie('document'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
        fc.array(tie('document'), { maxLength: 4 }).map((items) => `{${items.map((item, n) => `"k${n}": ${item}`)}}`),
      ),
    }))
    fc.assert(
      fc.property(document, (text) => {
        expect(toPlain(parseExact(text))).toEqual(JSON.parse(text))
        expect(parseRemembering(text)).toEqual(JSON.parse(text))
        const printed = JSON.stringify(parseExact(text))
        expect(printed.match(/-?\d[\d.eE+-]*/g)).toEqual(text.replaceAll(', ', ',').match(/-?\d[\d.eE+-]*/g))
      }),
    )
  })
})
