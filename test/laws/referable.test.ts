import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Resource } from '../../src/kernel/definition.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { declared } from '../support/declared.ts'
import { given, leastBody, type Shown, wrapped } from '../support/given.ts'

// What the pickers of the console offer, which ask lists for what is `referable`, is what the API accepts from there.

let api: TestApi
const places: Record<string, { readonly organization: Shown; readonly location: Shown }> = {}
beforeAll(async () => {
  api = await openTestApi()
  for (const [name, above] of [
    ['top', ''],
    ['middle', 'top'],
    ['low', 'middle'],
    ['other', ''],
  ] as const) {
    const place = async (kind: 'organization' | 'location') =>
      given(api.admin, kind, { name, ...(above && { parent_id: places[above]?.[kind].id }) })
    places[name] = { organization: await place('organization'), location: await place('location') }
  }
}, 60_000)
afterAll(() => api?.[Symbol.asyncDispose]())

/** A resource that fields refer to, and one of these fields. */
interface Referred {
  readonly target: Resource
  readonly by: Resource
  readonly key: string
  /** How many other records have to be named with it, which may not be within the scope. */
  readonly others: number
}

/** Lists what fields of forms refer to, each with the field that needs the fewest others beside it. */
function listReferred(): Referred[] {
  const found = new Map<string, Referred>()
  for (const by of declared.registry.values()) {
    if (!by.operations.includes('create') || by.nestedOnly || by.surface === 'content') continue
    for (const placed of by.placed) {
      const target = declared.registry.get(placed.field.refersTo?.resource ?? '')
      const key = Object.keys(placed.field.writable(placed.at)).find((one) => /_ids?$/.test(one))
      if (!target || key === undefined || target.surface === 'content') continue
      const others = by.placed.filter((one) => one !== placed && one.field.required && one.field.refersTo).length
      if (others < (found.get(target.name)?.others ?? Infinity)) found.set(target.name, { target, by, key, others })
    }
  }
  return [...found.values()].filter(({ target }) => declared.declared.some(({ id }) => id === `${target.plural}.list`))
}

test.each(listReferred().map((one) => [`${one.target.name} (${one.by.name}.${one.key})`, one] as const))(
  'what is offered of %s is what is accepted, wherever one looks from',
  async (_name, { target, by, key }) => {
    const { admin } = api
    const records = await recordsOf(target)
    const least = await leastBody(admin, by.name, { [key]: 0 })
    for (const named of ['organization', 'location'] as const) {
      const scope = `${named}_id=${places.middle?.[named].id}`
      const list = await admin.get(`${target.path}?${scope}&referable=true&per_page=all`)
      expect(list.status).toBe(200)
      const shown = new Set(recordsIn(list.body.results).map(({ id }) => id))
      const offered = records.filter(({ id }) => shown.has(id)).map(({ name }) => name)
      const accepted: string[] = []
      for (const { id, name } of records) {
        const sent = { ...least, [key]: key.endsWith('_ids') ? [id] : id }
        const { text } = await admin.post(`${by.path}?${scope}`, wrapped(by, sent))
        if (!/Couldn't find|Could not find|not found by id/.test(text)) accepted.push(name)
      }
      expect({ scope: named, offered }).toEqual({ scope: named, offered: accepted })
    }
  },
)

/** Creates a record for each place, and one without; and takes those that are there from the start. */
async function recordsOf(target: Resource): Promise<{ readonly id: number; readonly name: string }[]> {
  const { admin } = api
  const seeded = await admin.get(`${target.path}?per_page=3`)
  const records = recordsIn(seeded.body.results).map(({ id }) => ({ id, name: `seeded ${id}` }))
  if (target.name === 'organization' || target.name === 'location') {
    const kind = target.name
    return [...records, ...Object.entries(places).map(([name, place]) => ({ id: place[kind].id, name }))]
  }
  if (!target.operations.includes('create')) return records
  for (const where of target.taxable ? ['nowhere', ...Object.keys(places)] : ['nowhere']) {
    const { organization, location } = places[where] ?? {}
    const links = { organization_ids: [organization?.id], location_ids: [location?.id] }
    const { id } = await given(admin, target.name, organization && links)
    records.push({ id, name: where })
  }
  return records
}

/** The records of a page: some lists group them. */
function recordsIn(results: readonly Shown[] | Readonly<Record<string, readonly Shown[]>>): readonly Shown[] {
  return Object.values(results).flat()
}
