import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readJson } from '../../src/classification/json.ts'
import { identityOf, isMap, type Value, type ValueMap } from '../../src/classification/values.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { place, type RecordedNode, type RecordedWorld, recordedWorld, store } from './node-recorded.ts'
import { fromNotation, recorded } from './recorded.ts'

// What a host gets to know beside its classes, held against every recorded classification (smart-parameters §5.4, notes D).

let api: TestApi
let world: RecordedWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await recordedWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** Where we differ on purpose; each is a test that fails when it no longer happens. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'enc-0213': 'an escaped tag alone makes no template (docs/contract.md): the text stays as it is',
  'enc-0217': 'a tag without an end makes no template: the text stays as it is',
}

const CASES = recorded<RecordedNode>('enc-cases')

describe('recorded classifications come out the same, but those that are named', () => {
  test.each([...Map.groupBy(CASES, ({ tags }) => tags.join(' '))])('%s', async (_tag, cases) => {
    const different = new Map<string, unknown>()
    let placed = ''
    for (const each of cases.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))) {
      if (placeOf(each) !== placed) await place(api, world, each)
      placed = placeOf(each)
      await store(api, world, each)
      const { status, text } = await api.admin.get(`/api/hosts/${world.host.id}/enc`)
      const found = status === 200 ? known(text) : 'error'
      const outcomes = [each.outcome, each.outcome_later].flatMap((outcome) => (outcome ? [wanted(outcome)] : []))
      if (!outcomes.includes(found)) different.set(each.id, { parameters: each.parameters, found, outcomes })
    }
    expect([...different].filter(([id]) => !(id in DIFFERENCES))).toEqual([])
    expect([...different.keys()].sort()).toEqual(
      cases
        .map(({ id }) => id)
        .filter((id) => id in DIFFERENCES)
        .sort(),
    )
  })

  test('and those that are named were recorded', () => {
    expect(CASES.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(DIFFERENCES)))
  })
})

function placeOf({ host, settings }: RecordedNode): string {
  return JSON.stringify([host, settings])
}

/** What has no place in the recordings, or stands for their stand-ins. */
const UNRECORDED = ['millwright_subnets', 'millwright_interfaces', 'hostname', 'fqdn']
/** What later servers tell besides. */
const LATER = ['millwright_hostname', 'millwright_fqdn']

function known(text: string): string {
  const data = mapIn(mapIn(readJson(text)).get('data'))
  const told = [...mapIn(data.get('parameters'))].filter(([name]) => !LATER.includes(name))
  const parameters = told.map(([name, value]): [string, Value] => [name, comparable(name, value)])
  return shown(new Map(parameters), data.get('environment') ?? null)
}

function wanted({ output_parameters, environment, error }: RecordedNode['outcome']): string {
  if (error || !output_parameters) return 'error'
  const parameters = output_parameters.map(([name, value]): [string, Value] => {
    return [name.replace('<p>', 'millwright'), fromNotation(value)]
  })
  return shown(new Map(parameters), environment ?? null)
}

function shown(parameters: ValueMap, environment: Value): string {
  const compared = [...parameters].filter(([name, value]) => !UNRECORDED.includes(name) || typeof value === 'string')
  return identityOf(new Map([...compared, ['environment of the document', environment]]))
}

/** Recorded users have two keys. */
function comparable(name: string, value: Value): Value {
  if (name !== 'millwright_users' || !isMap(value)) return value
  return new Map(
    [...value].map(([login, user]): [string, Value] => {
      if (!isMap(user)) return [login, user]
      return [
        login,
        new Map(
          [...user].filter(
            ([key]) => !['mail', 'description', 'fullname', 'name', 'ssh_authorized_keys'].includes(key),
          ),
        ),
      ]
    }),
  )
}

function mapIn(value: Value | undefined): ValueMap {
  if (value === undefined || !isMap(value)) throw new Error('expected a map')
  return value
}
