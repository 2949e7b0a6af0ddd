import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Resource } from '../../src/kernel/definition.ts'
import { singularOf } from '../../src/kernel/resources.ts'
import { TAXONOMIES } from '../../src/kernel/scope.ts'
import type { Caller } from '../support/api.ts'
import { isShort } from '../support/cover.ts'
import { type Body, given, pathOf, type Shown, wrapped } from '../support/given.ts'
import { names, subjects, turns } from './subjects.ts'
import { openWorld, type World } from './world.ts'

// Lists of links show and replace only records in the caller's own organizations and locations:
// docs/decisions/0014-links.md.

let world: World
let member: Caller
let elsewhere: Body
const outside: Record<string, Shown> = {}
beforeAll(async () => {
  world = await openWorld()
  const { admin } = world.api
  const { body } = await admin.get('/api/permissions?per_page=all')
  member = await world.limited(body.results.map(({ name }: Shown) => name))
  for (const { kind } of TAXONOMIES) outside[kind] = await given(admin, kind, { name: `beyond${kind}` })
  elsewhere = { organization_ids: [outside.organization?.id], location_ids: [outside.location?.id] }
}, 120_000)
afterAll(() => world?.api[Symbol.asyncDispose]())

const TAXONOMY_KINDS: readonly string[] = TAXONOMIES.map(({ kind }) => kind)
/** Further keys: a filter only has organizations when it overrides those of its role. */
const ALSO: Readonly<Record<string, Body>> = { filter: { override: true } }

interface List {
  readonly resource: Resource
  readonly key: string
  readonly ids: string
  readonly target: Resource
}

/** Every list of links that requests write, whose targets belong to organizations and locations or are some themselves. */
const inTurn = new Set(turns('create'))
const LISTS = subjects('create')
  .filter(({ name }) => inTurn.has(name) && names('update').includes(name) && names('show').includes(name))
  .flatMap((resource) =>
    resource.placed.flatMap(({ name: key, field, at, elsewhere: kept }): List[] => {
      const [named] = resource.readable[key]?.names?.() ?? []
      const ids = `${singularOf(key)}_ids`
      if (!kept || !named || !(ids in field.writable(at)) || !resource.views.show.includes(key)) return []
      const { target } = named
      const isNear = resource.taxable === 'organization' && target.taxable === 'organization'
      const isLimited = target.taxable && target.taxable !== 'when_named' && !isNear
      return isLimited || TAXONOMY_KINDS.includes(target.name) ? [{ resource, key, ids, target }] : []
    }),
  )

let made = 0

/** Creates a record in the caller's organization and location, and one elsewhere, with unique names. */
async function mineAndTheirs(target: Resource): Promise<readonly [Shown, Shown]> {
  const { admin } = world.api
  if (target.name === 'organization' || target.name === 'location') {
    const mine = await admin.get(`${target.path}/${world[target.name]}`)
    return [mine.body, outside[target.name] ?? { id: 0 }]
  }
  const named = target.label === 'login' ? 'login' : 'name'
  const [first, second] = [`mine${++made}own`, `beyond${made}reach`]
  return [
    await given(admin, target.name, { ...world.inside(target), [named]: first }),
    await given(admin, target.name, { ...elsewhere, [named]: second }),
  ]
}

const ascending = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

/** Yields the ids of a record's list, without those of its ancestors. */
function idsOf(record: Shown, key: string): number[] {
  const own = record[key].filter(({ inherited }: Shown) => inherited !== true)
  return ascending(own.map(({ id }: Shown) => id))
}

test('there are lists to look at', () => expect(LISTS.length).toBeGreaterThan(isShort ? 10 : 40))

describe.each(LISTS.map((list) => [list.resource.name, list.key, list] as const))('%s.%s', (_name, key, list) => {
  const { resource, ids, target } = list
  const isTaxonomy = TAXONOMY_KINDS.includes(target.name)

  test('names no record beyond the caller’s reach, and keeps the links to it', async () => {
    const { admin } = world.api
    const [mine, theirs] = await mineAndTheirs(target)
    const both = ascending([mine.id, theirs.id])
    const overrides = { ...ALSO[resource.name], ...world.inside(resource), [ids]: both }
    const { id } = await given(admin, resource.name, overrides)
    const path = pathOf(resource, world.organization)
    const url = `${path}/${id}`
    const secret = String(theirs[target.label ?? 'name'])
    const whole = async () => idsOf((await admin.get(url)).body, key)
    const changes = async () => {
      const { body } = await admin.get(
        `/api/audits?per_page=all&search=${encodeURIComponent(`type = ${resource.name} and auditable_id = ${id}`)}`,
      )
      return body.results.map(({ audited_changes }: Shown) => audited_changes[ids])
    }
    expect(await whole()).toEqual(both)
    const before = await changes()

    const shown = await member.get(url)
    expect({ status: shown.status, ids: idsOf(shown.body, key) }).toEqual({ status: 200, ids: [mine.id] })
    const listed = await member.get(`${path}?per_page=all`)
    expect(listed.status).toBe(200)
    const back = await member.put(url, wrapped(resource, { [ids]: idsOf(shown.body, key) }))
    expect({ status: back.status, text: back.text, ids: back.status === 200 && idsOf(back.body, key) }).toMatchObject({
      status: 200,
      ids: [mine.id],
    })
    expect(await whole()).toEqual(both)
    expect(await changes()).toEqual(before)

    const named = await member.put(url, wrapped(resource, { [ids]: both }))
    expect({ status: named.status, refused: [404, 422].includes(named.status) }).toMatchObject({ refused: true })
    const cleared = await member.put(url, wrapped(resource, { [ids]: [] }))
    // A record in none of the caller's organizations and locations would become invisible.
    if (isTaxonomy && resource.taxable === true) expect(cleared.status).toBe(422)
    else {
      expect({ status: cleared.status, text: cleared.text }).toMatchObject({ status: 200 })
      expect(await whole()).toEqual([theirs.id])
      const audited = (await changes()).filter((change: unknown) => change !== undefined)
      expect(audited).toEqual(resource.audited ? expect.arrayContaining([[both, [theirs.id]]]) : [])
    }
    const deleted = await member.delete(url)
    for (const answer of [shown, listed, back, cleared, deleted]) expect(answer.text).not.toContain(secret)
  })
})

/** The lists that searches can use, each with its search field. */
const SEARCHED = LISTS.flatMap((list) => {
  const { fields } = list.resource.searchSchema
  const field = fields.find(({ type, leadsTo }) => type === 'text' && leadsTo?.resource === list.target.name)
  return field ? [[list.resource.name, field.name, list, field] as const] : []
})

test.each(SEARCHED)('%s is searched by what the caller sees of its %s', async (name, field, list, { noCompletion }) => {
  const { resource, ids, target } = list
  const { admin } = world.api
  const [mine, theirs] = await mineAndTheirs(target)
  const overrides = { ...ALSO[name], ...world.inside(resource), [ids]: [mine.id, theirs.id] }
  const { id } = await given(admin, name, overrides)
  const path = pathOf(resource, world.organization)
  const finds = async (caller: Caller, condition: string) => {
    const search = encodeURIComponent(condition)
    const { status, body } = await caller.get(`${path}?style=list&per_page=all&search=${search}`)
    return { condition, status, found: status === 200 && body.results.some((record: Shown) => record.id === id) }
  }
  const [own, secret] = [mine, theirs].map((record) => String(record[target.label ?? 'name']))
  expect(await finds(member, `${field} = "${own}"`)).toMatchObject({ found: true })
  for (const condition of [`${field} = "${secret}"`, `${field} ~ "${secret}"`, `${field} ^ ("${secret}", none)`]) {
    expect(await finds(admin, condition)).toMatchObject({ found: true })
    expect(await finds(member, condition)).toEqual({ condition, status: 200, found: false })
  }
  const suggestions = async (caller: Caller) =>
    (
      await caller.get(
        `${path}/auto_complete_search?search=${encodeURIComponent(`${field} = ${secret?.slice(0, -1)}`)}`,
      )
    ).text
  // Without fields of free text, a field name without a comparison is an error for completion.
  const takesWords = resource.searchSchema.fields.some(({ explicit }) => !explicit)
  if (takesWords && !noCompletion) expect(await suggestions(admin)).toContain(secret)
  expect(await suggestions(member)).not.toContain(secret)
})
