import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeDnValue, isBelow, normalizeDn, parentDnOf, parseFirstRdn } from '../../src/directory/names.ts'

test.each([
  ['cn=odd (name*)\\2C x,ou=groups,dc=lab', 'CN=odd (name*)\\, x, OU=groups,DC=lab'],
  ['cn="a, b",dc=c', 'cn=a\\, b,dc=c'],
  ['cn=Zo\\C3\\AB,dc=c', 'cn=Zoë,dc=c'],
  ['CN = A , DC = b', 'cn=a,dc=b'],
  ['cn=a;dc=b', 'cn=a,dc=b'],
])('%s is the same as %s', (one, other) => {
  expect(normalizeDn(one)).toBe(normalizeDn(other))
})

test('a DN is below another only part by part', () => {
  expect(isBelow('cn=a,ou=groups,dc=b', 'OU=Groups, dc=b')).toBe(true)
  expect(isBelow('ou=groups,dc=b', 'ou=groups,dc=b')).toBe(false)
  expect(isBelow('cn=a\\,ou=groups,dc=b', 'ou=groups,dc=b')).toBe(false)
  expect(isBelow('cn=a,xou=groups,dc=b', 'ou=groups,dc=b')).toBe(false)
  expect(isBelow('cn=a,dc=b', '')).toBe(true)
})

test('any value survives being written into a DN', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      (value, top) => {
        fc.pre(value.trim() === value && value.isWellFormed() && top.trim() === top && top.isWellFormed())
        const dn = `uid=${escapeDnValue(value)},ou=${escapeDnValue(top)},dc=x`
        expect(parseFirstRdn(dn)).toEqual({ attribute: 'uid', value })
        expect(parseFirstRdn(parentDnOf(dn))).toEqual({ attribute: 'ou', value: top })
        expect(parentDnOf(parentDnOf(dn))).toBe('dc=x')
      },
    ),
  )
})
