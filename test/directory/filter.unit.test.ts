import fc from 'fast-check'
import {
  AndFilter,
  ApproximateFilter,
  BerWriter,
  EqualityFilter,
  GreaterThanEqualsFilter,
  LessThanEqualsFilter,
  type Filter as LibraryFilter,
  NotFilter,
  OrFilter,
  PresenceFilter,
  SubstringFilter,
} from 'ldapts'
import { afterAll, describe, expect, test } from 'vitest'
import { openDirectory } from '../../src/directory/directory.ts'
import { buildEqual, combine, filterProblem, wire } from '../../src/directory/filter.ts'
import { readFilter } from '../../src/directory/filter-reader.ts'
import type { Filter } from '../../src/directory/filter-tree.ts'
import { startDirectory, type TestDirectory } from '../support/directories/index.ts'
import { sourceOf } from './sources.ts'

const server = await startDirectory('slapd')
afterAll(() => server?.stop())

/** A filter as text, as traces of the client library show it. */
const printed = (filter: Filter) => wire(filter).toString()

/** Characters with a meaning in filters, DNs, LDAP's string preparation, or for careless servers. */
const tricky = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'*()\\&|!=<>~:,;+"# \0\n\r\t\'', 'a', 'l', 'i', 'c', 'e', 'uid', ')(uid=*', '\\2a', '\\00'),
    fc.constantFrom('\u00ad', '\u200b', '\ufeff', '\uff0a', '\u212a', '\u0130', 'é', 'e\u0301', '日', '\ud800'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 20,
})

describe('reading filters', () => {
  test.each([
    ['(uid=alice)', '(uid=alice)'],
    ['uid=alice', '(uid=alice)'],
    ['  ( uid = alice )  ', '(uid=alice)'],
    ['(&(objectClass=person)(!(uid=guest*)))', '(&(objectClass=person)(!(uid=guest*)))'],
    [' ( & ( a=b ) ( | (c=d) (e=*) ) ) ', '(&(a=b)(|(c=d)(e=*)))'],
    ['&(a=b)(c=d)', '(&(a=b)(c=d))'],
    ['(a!=b)', '(!(a=b))'],
    ['(a>=1)', '(a>=1)'],
    ['(a<=1)', '(a<=1)'],
    ['(a~=b)', '(a~=b)'],
    ['(cn=*a*b**c)', '(cn=*a*b*c)'],
    ['(cn=Zo\\c3\\ab)', '(cn=Zoë)'],
    ['(cn=a\\2ab\\28\\29\\5c\\00)', '(cn=a\\2ab\\28\\29\\5c\\00)'],
    ['(objectGUID=\\ff\\fe\\01)', '(objectGUID=\\ff\\fe\\01)'],
    ['(jpegPhoto;binary=*)', '(jpegPhoto;binary=*)'],
    ['(2.5.4.3=x)', '(2.5.4.3=x)'],
    ['(memberOf=cn=a,dc=b)', '(memberOf=cn=a,dc=b)'],
    ['(userAccountControl:1.2.840.113556.1.4.803:=2)', '(userAccountControl:1.2.840.113556.1.4.803:=2)'],
    ['(ou:dn:=people)', '(ou:dn:=people)'],
    ['(ou:dn:2.4.6.8:=people)', '(ou:dn:2.4.6.8:=people)'],
    ['(:caseExactMatch:=x)', '(:caseExactMatch:=x)'],
    ['(uid:=x)', '(uid:=x)'],
  ])('%s means %s', (text, whole) => {
    expect(filterProblem(text)).toBeNull()
    expect(printed(readFilter(text))).toBe(whole)
  })

  test.each([
    '(',
    ')',
    '()',
    '(uid)',
    '(uid=)',
    'uid',
    '(=x)',
    '(uid=x',
    'uid=x)',
    '((uid=x))',
    '(uid=x))',
    '(uid=x)(uid=y)',
    '(uid=x) and more',
    '(&)',
    '(|)',
    '(!)',
    '(!(a=b)(c=d))',
    '(&(a=b)',
    '(uid=a(b)',
    '(uid=\\)',
    '(uid=\\zz)',
    '(uid=\\2)',
    '(a b=c)',
    '(-=c)',
    '(a>=*)',
    '(a:b:c:d:=x)',
    '(:dn:=x)',
    '(uid=\0)',
    `${'(!'.repeat(500)}(a=b)${')'.repeat(500)}`,
  ])('%s is none', (text) => {
    expect(filterProblem(text)).toBe('invalid LDAP filter syntax')
  })

  test('blank is no filter, and no problem', () => {
    for (const blank of [null, '', '  \n']) expect(filterProblem(blank)).toBeNull()
    expect(printed(combine(buildEqual('uid', 'x'), '  '))).toBe('(uid=x)')
    expect(printed(combine(buildEqual('uid', 'x'), ' a=b '))).toBe('(&(uid=x)(a=b))')
  })

  test('any text is read or refused, quickly, and never throws anything else', () => {
    fc.assert(
      fc.property(fc.oneof(tricky, fc.string(), fc.string({ unit: fc.constantFrom(...'(&|!a=*)\\') })), (text) => {
        const problem = filterProblem(text)
        if (problem === null && text.trim() !== '')
          expect(readFilter(printed(readFilter(text)))).toEqual(readFilter(text))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('values', () => {
  test('stand for themselves, whatever their characters', () => {
    fc.assert(
      fc.property(tricky, (value) => {
        fc.pre(value !== '' && value.isWellFormed())
        expect(readFilter(printed(buildEqual('uid', value)))).toEqual(buildEqual('uid', value))
      }),
      { numRuns: 1_000 },
    )
  })

  test('are the same on the wire as the library writes them', () => {
    fc.assert(
      fc.property(filters(), (filter) => {
        const writer = new BerWriter()
        wire(filter).write(writer)
        const theirs = new BerWriter()
        asTheLibraryHasIt(filter).write(theirs)
        expect(writer.buffer.equals(theirs.buffer)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe.skipIf(!server)('against a directory', () => {
  test('no login finds anybody but the one who has it', async () => {
    const directory = server as TestDirectory
    await using opened = openDirectory(sourceOf(directory, { security: 'none' }))
    expect(await opened.find('ALICE')).toMatchObject({ login: 'alice' })
    const tricks = [
      '*',
      'a*',
      'alice*',
      '*)(uid=*',
      'alice)(uid=*',
      'x)(|(uid=*',
      ')(uid=*',
      '\\2a',
      'alice\0',
      '\0',
      'al\u00adice',
      'alice ',
      ' alice',
      'ａｌｉｃｅ',
      'alice\u200b',
    ]
    for (const login of tricks) expect(await opened.find(login), JSON.stringify(login)).toBeNull()
    await fc.assert(
      fc.asyncProperty(tricky, async (login) => {
        const person = await opened.find(login)
        if (person) expect(person.login.toLowerCase()).toBe(login.normalize('NFC').toLowerCase())
        expect(await opened.authenticate(login, '')).toBeNull()
        expect(await opened.hasGroup(`${login}*`)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('filters with bytes are understood', async () => {
    const directory = server as TestDirectory
    const source = sourceOf(directory, { security: 'none', filter: '(&(givenName=Zo\\c3\\ab)(sn=*\\e6\\9c\\ac))' })
    await using opened = openDirectory(source)
    expect(await opened.find('zoe')).toMatchObject({ login: 'zoe' })
    expect(await opened.find('alice')).toBeNull()
  })
})

/** Converts a filter to the library's own classes, whose values are text. */
function asTheLibraryHasIt(filter: Filter): LibraryFilter {
  switch (filter.kind) {
    case 'and':
      return new AndFilter({ filters: filter.parts.map(asTheLibraryHasIt) })
    case 'or':
      return new OrFilter({ filters: filter.parts.map(asTheLibraryHasIt) })
    case 'not':
      return new NotFilter({ filter: asTheLibraryHasIt(filter.part) })
    case 'present':
      return new PresenceFilter(filter)
    case 'substring': {
      const [initial, ...rest] = filter.pieces.map(String)
      return new SubstringFilter({ attribute: filter.attribute, initial, any: rest.slice(0, -1), final: rest.at(-1) })
    }
    case 'extensible':
      throw new Error('not generated')
    default: {
      const options = { attribute: filter.attribute, value: filter.value.toString() }
      if (filter.kind === 'equal') return new EqualityFilter(options)
      if (filter.kind === 'like') return new ApproximateFilter(options)
      return filter.kind === 'atLeast' ? new GreaterThanEqualsFilter(options) : new LessThanEqualsFilter(options)
    }
  }
}

/** Generates filters whose values are text. */
function filters(): fc.Arbitrary<Filter> {
  const attribute = fc.constantFrom('uid', 'cn', 'memberof')
  const value = fc.string({ minLength: 1 }).map((text) => Buffer.from(text.toWellFormed()))
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small' },
      fc.record({ kind: fc.constant('present' as const), attribute }),
      fc.record({
        kind: fc.constantFrom('equal' as const, 'atLeast' as const, 'atMost' as const, 'like' as const),
        attribute,
        value,
      }),
      fc.record({
        kind: fc.constant('substring' as const),
        attribute,
        pieces: fc.array(value, { minLength: 2, maxLength: 4 }),
      }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        parts: fc.array(tie('filter'), { minLength: 1, maxLength: 4 }),
      }),
      fc.record({ kind: fc.constant('not' as const), part: tie('filter') }),
    ),
  }))
  return filter
}
