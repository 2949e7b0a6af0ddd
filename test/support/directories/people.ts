import { createHash } from 'node:crypto'

/** A person in a test directory. */
export interface TestPerson {
  readonly login: string
  readonly givenName: string
  readonly surname: string
  readonly mail?: string
  readonly photo?: Buffer
  readonly locked?: boolean
}

/** A group with its direct members. */
export interface TestGroup {
  readonly name: string
  readonly people: readonly string[]
  readonly groups: readonly string[]
}

export interface TestNetgroup {
  readonly name: string
  readonly triples: readonly string[]
  readonly netgroups: readonly string[]
}

/** The password of everybody; no other text contains it, so that leaks are found. */
export const PASSWORD = 'Corr3ct.Horse-Battery'

/** The hash of the password as servers store it, in a cheap scheme. */
export const HASHED_PASSWORD = `{SSHA}${Buffer.concat([createHash('sha1').update(`${PASSWORD}saltsalt`).digest(), Buffer.from('saltsalt')]).toString('base64')}`

/** Yields a valid JPEG of one pixel, enlarged to a size by comments in it. */
export function photoOf(size = PIXEL.length): Buffer {
  const parts = [PIXEL.subarray(0, 2)]
  for (let left = size - PIXEL.length; left > 4; ) {
    const length = Math.min(left - 4, 60_000)
    const head = Buffer.from([0xff, 0xfe, 0, 0])
    head.writeUInt16BE(length + 2, 2)
    parts.push(head, Buffer.alloc(length, 'a'))
    left -= length + 4
  }
  return Buffer.concat([...parts, PIXEL.subarray(2)])
}

const PIXEL = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB' +
    'AQEBAQH/wAARCAABAAEDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAA' +
    'AAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AfwD/2Q==',
  'base64',
)

const mailed = (login: string, givenName: string, surname: string): TestPerson => ({
  login,
  givenName,
  surname,
  mail: `${login}@example.test`,
})

/** People for particular cases, equal in every directory. */
export const PEOPLE: readonly TestPerson[] = [
  { ...mailed('alice', 'Alice', 'Archer'), photo: photoOf() },
  mailed('bob', 'Bob', 'Baker'),
  mailed('carol', 'Carol', 'Cooper'),
  mailed('zoe', 'Zoë', 'Ångström-日本'),
  mailed('doe', 'Jane', 'Doe, Jr.'), // a comma in the name
  mailed('MixedCase', 'Mixed', 'Case'),
  mailed('many', 'Many', 'Groups'), // in 100 groups, see manyGroups
  mailed('deep', 'Deep', 'Down'), // in a chain of 20 groups that ends where it starts, see deepGroups
  { login: 'nomail', givenName: 'No', surname: 'Mail' },
  { ...mailed('locked', 'Locked', 'Out'), locked: true },
  { ...mailed('portrait', 'Por', 'Trait'), photo: photoOf(90_000) },
  mailed("o'brien", 'Miles', "O'Brien"),
]

/** Logins that have to be escaped in filters and DNs, where the directory accepts them. */
export const ODD_LOGINS = [
  'star*',
  'paren(s)',
  'back\\slash',
  'comma, user',
  'plus+one',
  '#hash',
  'Üml.äut',
  'a@b.test',
  'semi;colon',
] as const

export function oddPeople(isTaken: (login: string) => boolean = () => true): TestPerson[] {
  return ODD_LOGINS.filter(isTaken).map((login, index) => ({
    login,
    givenName: 'Odd',
    surname: `Number ${index}`,
    mail: `odd${index}@example.test`,
  }))
}

/** user00001, user00002, ... */
export function crowd(count: number): TestPerson[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(5, '0')
    return mailed(`user${number}`, `Given${number}`, `Family${number}`)
  })
}

/** Groups for particular cases, equal in every directory; nested ones come first. */
export const GROUPS: readonly TestGroup[] = [
  { name: 'developers', people: ['alice', 'bob'], groups: [] },
  { name: 'engineering', people: ['carol'], groups: ['developers'] },
  { name: 'company', people: ['nomail'], groups: ['engineering'] },
  { name: 'Mixed Case', people: ['alice', 'MixedCase'], groups: [] },
  { name: 'odd (name*), x', people: ['zoe', 'doe'], groups: [] },
  { name: 'loop-one', people: ['alice'], groups: ['loop-two'] },
  { name: 'loop-two', people: ['bob'], groups: ['loop-one'] },
  { name: 'restricted', people: ['locked'], groups: [] },
]

/** 100 groups of the user `many`: 80 direct ones, in fives within 16, in fours within 4. */
export function manyGroups(): TestGroup[] {
  const inside = (name: (index: number) => string, index: number, count: number) =>
    Array.from({ length: count }, (_, place) => name(index * count + place))
  const leaf = (index: number) => `many-leaf-${index}`
  const branch = (index: number) => `many-branch-${index}`
  return [
    ...Array.from({ length: 80 }, (_, index) => ({ name: leaf(index), people: ['many'], groups: [] })),
    ...Array.from({ length: 16 }, (_, index) => ({ name: branch(index), people: [], groups: inside(leaf, index, 5) })),
    ...Array.from({ length: 4 }, (_, index) => ({
      name: `many-top-${index}`,
      people: [],
      groups: inside(branch, index, 4),
    })),
  ]
}

/** A loop of groups: deep-1 contains the user `deep`, deep-2 contains deep-1, and so on; deep-1 contains the last. */
export function deepGroups(count = 20): TestGroup[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `deep-${index + 1}`,
    people: index === 0 ? ['deep'] : [],
    groups: [`deep-${index === 0 ? count : index}`],
  }))
}

export const NETGROUPS: readonly TestNetgroup[] = [
  { name: 'net-developers', triples: ['(,alice,)', '(,bob,)'], netgroups: [] },
  {
    name: 'net-hosts',
    triples: ['(host1.example.test,carol,example.test)', '(host2.example.test,-,example.test)'],
    netgroups: [],
  },
  { name: 'net-everybody', triples: ['(,doe,)'], netgroups: ['net-developers', 'net-hosts'] },
]

/** Yields the names of a person's groups, nested ones included; with `nested: false` only direct ones. */
export function groupsOf(login: string, groups: readonly TestGroup[], { nested = true } = {}): Set<string> {
  const found = new Set(groups.filter(({ people }) => people.includes(login)).map(({ name }) => name))
  if (!nested) return found
  for (const inner of found) for (const each of groups) if (each.groups.includes(inner)) found.add(each.name)
  return found
}
