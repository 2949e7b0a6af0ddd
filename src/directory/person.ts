/** Finds the one entry with a login, and reads what a directory says about the person. */
import type { Allowance, Answer, Entry, Query, Searcher } from './connection.ts'
import { readBytes, readText, readTexts } from './entries.ts'
import { DirectoryError } from './errors.ts'
import { buildEqual, combine, filterProblem, joinAll, present } from './filter.ts'
import type { Filter } from './filter-tree.ts'
import { isBelow } from './names.ts'
import { type DirectorySource, loginAttributeOf } from './source.ts'

/** A person as the directory describes it. */
export interface Person {
  readonly dn: string
  /** The login as the directory spells it. */
  readonly login: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly mail: string | null
  /** Null where there is none, and when it is too large. */
  readonly photo: Buffer | null
  readonly photoTooLarge: boolean
  /** Whether the directory has disabled the account; unknown (false) for server types posix and directory_c. */
  readonly disabled: boolean
  /** DNs of groups, for server types that store them with the person. */
  readonly memberOf: readonly string[]
  /** The security identifier of the primary group, for server type directory_b. */
  readonly primaryGroup: Buffer | null
}

const MAX_LOGIN = 255
const MANY = 1_000
const MAX_PHOTO = 1 << 20
const FEW: Allowance = { messages: 200, bytes: 8 << 20, messageBytes: MAX_PHOTO + (1 << 19) }
const FEW_WITHOUT_PHOTO: Allowance = { ...FEW, messageBytes: FEW.bytes }

/** Tells whether a text can be a login; one with control characters cannot. */
export function isLogin(login: string): boolean {
  return login.trim() !== '' && login.length <= MAX_LOGIN && !/\p{Cc}/u.test(login)
}

/**
 * Finds the person with exactly this login, ignoring case; null when there is none. Fails with `ambiguous` when more than
 * one entry has it. The server's own comparison is not relied upon: directories ignore blanks and invisible characters.
 */
export async function findPerson(source: DirectorySource, searcher: Searcher, login: string): Promise<Person | null> {
  if (!isLogin(login)) return null
  const attribute = loginAttributeOf(source)
  const filter = buildPeopleFilter(source, buildEqual(attribute, login))
  const entries = await search(source, searcher, filter)
  const candidates = entries.filter((entry) => isPerson(source, entry))
  const [first] = candidates
  if (!first) return null
  if (candidates.length > 1) {
    throw new DirectoryError('ambiguous', 'sample', { detail: `${candidates.length} entries for ${login}` })
  }
  const logins = readTexts(first, attribute)
  if (logins.length === 0) throw new DirectoryError('login_attribute_absent', 'login_attribute', { detail: attribute })
  const exact = logins.find((value) => foldLogin(value) === foldLogin(login))
  return exact === undefined ? null : toPerson(source, first, exact)
}

/**
 * Fails with `nobody` or `login_attribute_absent` when no person at all can be found: an unknown login means nothing then.
 */
export async function checkPeopleExist(source: DirectorySource, searcher: Searcher): Promise<void> {
  const attribute = loginAttributeOf(source)
  const some = await findSomePeople(source, searcher, { step: 'base_dn', limit: 1 })
  if (some.cut || some.people.length > 0) return
  const query = { step: 'base_dn', base: source.baseDn, scope: 'sub', attributes: [attribute], limit: 1 } as const
  const { entries, cut } = await searcher.search({ ...query, filter: present(attribute) })
  if (cut || entries.length > 0) throw new DirectoryError('nobody', 'sample', { detail: source.filter ?? undefined })
  throw new DirectoryError('login_attribute_absent', 'login_attribute', { detail: attribute })
}

/** Some entries of people who have the login attribute, as a search with a limit finds them. */
export interface SomePeople extends Pick<Answer, 'references' | 'cut'> {
  readonly people: readonly Entry[]
}

/**
 * Finds some people with the login attribute. Server type directory_b has computers with logins, which may come first, so
 * that its classes narrow the search; servers without these classes find nobody then, and are searched without them.
 */
export async function findSomePeople(
  source: DirectorySource,
  searcher: Searcher,
  { step, limit }: Pick<Query, 'step'> & { readonly limit: number },
): Promise<SomePeople> {
  const attribute = loginAttributeOf(source)
  const find = async (condition: Filter, most: number) => {
    const filter = buildPeopleFilter(source, condition)
    const attributes = ['objectClass', attribute]
    const answer = await searcher.search({ step, base: source.baseDn, scope: 'sub', filter, attributes, limit: most })
    return { ...answer, people: answer.entries.filter((entry) => isPerson(source, entry)) }
  }
  if (source.serverType !== 'directory_b') return find(present(attribute), limit)
  const narrowed = await find(joinAll([present(attribute), IS_USER, NO_COMPUTER]), limit)
  if (narrowed.cut || narrowed.people.length > 0) return narrowed
  const all = await find(present(attribute), MANY)
  return all.people.length > 0 ? all : narrowed
}

/** Reads what an entry says about a person. */
function toPerson(source: DirectorySource, entry: Entry, login: string): Person {
  const { firstname, lastname, mail, photo } = source.attributes
  const picture = photoOf(entry, photo)
  const tooLarge = picture !== null && picture.length > MAX_PHOTO
  return {
    dn: entry.dn,
    login,
    firstname: readText(entry, firstname),
    lastname: readText(entry, lastname),
    mail: readText(entry, mail),
    photo: tooLarge ? null : picture,
    photoTooLarge: tooLarge || entry[PHOTO_LEFT_OUT] !== undefined,
    disabled: isDisabled(entry),
    memberOf: readTexts(entry, 'memberOf'),
    primaryGroup: primaryGroupOf(entry),
  }
}

/** Joins a condition on people with the source's own filter. Fails with `filter_invalid`. */
export function buildPeopleFilter(source: DirectorySource, condition: Filter): Filter {
  if (filterProblem(source.filter)) throw new DirectoryError('filter_invalid', 'sample')
  return combine(condition, source.filter)
}

/** Excludes groups and computers, which have logins, too, in server type directory_b. */
const IS_USER = buildEqual('objectClass', 'user')
const NO_COMPUTER: Filter = { kind: 'not', part: buildEqual('objectClass', 'computer') }

/** Lists the attributes of people to request. */
function listPeopleAttributes(source: DirectorySource): string[] {
  const { firstname, lastname, mail } = source.attributes
  const more = {
    directory_a: ['memberOf', 'nsAccountLock'],
    directory_b: ['memberOf', 'objectSid', 'primaryGroupID', 'userAccountControl'],
    posix: [],
    directory_c: [],
  }
  return ['objectClass', loginAttributeOf(source), firstname, lastname, mail, ...more[source.serverType]].filter(
    (name) => !!name,
  ) as string[]
}

/**
 * Tells whether an entry that people are searched for with is one: groups may lie among people, have the attribute that holds
 * logins, and be called as somebody is. The class must have been read with the entry.
 */
export function isPerson(source: DirectorySource, entry: Entry): boolean {
  const classes = readTexts(entry, 'objectClass')
  const isGroup = classes.some((name) => /group/i.test(name)) && !classes.some((name) => OF_PEOPLE.test(name))
  const isOther = source.serverType === 'directory_b' && classes.some((name) => OF_NO_PEOPLE.test(name))
  return !isGroup && !isOther && !isShadow(source, entry.dn)
}

/**
 * The classes of entries beside people that have logins or mail addresses in server type directory_b. They are recognized in
 * the answer: a server that does not have a class leaves everybody out whom a filter with `not` of the class would find.
 */
const OF_NO_PEOPLE = /^(?:computer|contact)$/i

/** The usual classes of people, who may be groups as well: some servers keep a group of each person in the same entry. */
const OF_PEOPLE = /^(?:person|organizationalPerson|inetOrgPerson|posixAccount|account|user)$/i

/** Tells whether an entry is a copy: server type directory_a repeats every person below cn=compat, without their groups. */
export function isShadow(source: DirectorySource, dn: string): boolean {
  return source.serverType === 'directory_a' && /(?:^|,)\s*cn=compat\s*,/i.test(dn) && isBelow(dn, source.baseDn)
}

/** Folds case and Unicode normalization of a login, by which logins are compared. */
export function foldLogin(login: string): string {
  return login.normalize('NFC').toLowerCase()
}

const PHOTO_LEFT_OUT = 'x-photo-left-out'

/**
 * Searches for people. A photo that exceeds the limits ends the connection before it is downloaded; the search is then
 * repeated without photos.
 */
async function search(source: DirectorySource, searcher: Searcher, filter: Filter): Promise<readonly Entry[]> {
  const { photo } = source.attributes
  const query: Query = {
    step: 'base_dn',
    base: source.baseDn,
    scope: 'sub',
    filter,
    attributes: listPeopleAttributes(source),
    binary: ['objectSid', ...(photo ? [photo] : [])],
    allowance: FEW_WITHOUT_PHOTO,
  }
  if (!photo) return (await searcher.search(query)).entries
  try {
    return (await searcher.search({ ...query, attributes: [...query.attributes, photo], allowance: FEW })).entries
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'answer_too_large') throw error
    const { entries } = await searcher.search(query)
    return entries.map((entry) => ({ ...entry, [PHOTO_LEFT_OUT]: 'true' }))
  }
}

/** Reads a photo, which some directories store as base64 text. */
function photoOf(entry: Entry, attribute: string | null): Buffer | null {
  const value = readBytes(entry, attribute)
  if (!value || value.length === 0) return null
  const isText = /^[A-Za-z0-9+/\s]+=*\s*$/.test(value.subarray(0, 2 * MAX_PHOTO).toString('latin1'))
  return isText ? Buffer.from(value.toString('latin1'), 'base64') : value
}

const ACCOUNT_DISABLED = 0x2

function isDisabled(entry: Entry): boolean {
  const control = Number(readText(entry, 'userAccountControl') ?? 0)
  return readText(entry, 'nsAccountLock')?.toLowerCase() === 'true' || (control & ACCOUNT_DISABLED) !== 0
}

/** Builds the identifier of the primary group: that of the person with its last part replaced by the number of the group. */
function primaryGroupOf(entry: Entry): Buffer | null {
  const own = readBytes(entry, 'objectSid')
  const number = Number(readText(entry, 'primaryGroupID'))
  if (!own || own.length < 12 || !Number.isInteger(number) || number <= 0) return null
  const group = Buffer.from(own)
  group.writeUInt32LE(number, group.length - 4)
  return group
}
