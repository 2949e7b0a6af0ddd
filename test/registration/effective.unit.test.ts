import { describe, expect, test } from 'vitest'
import { computeEffectiveRegistration } from '../../src/areas/registration/effective.ts'
import type { KeyGrants, Pair } from '../../src/areas/registration/key.ts'
import { parseKeyNames } from '../../src/areas/registration/keys.ts'

// Content-api §5.3, row by row.

const OWNER = { content_access_mode: 'org_environment', service_level: null, service_levels: [] } as const
const pair = (environment: number, view: number): Pair => ({
  environment: { id: environment, name: `e${environment}` },
  content_view: { id: view, name: `v${view}` },
  label: `e${environment}/v${view}`,
})
let ids = 0
const key = (name: string, grants: Partial<KeyGrants> = {}): KeyGrants => ({
  ...{ id: ++ids, name, environments: [], host_collections: [], overrides: [], subscriptions: [] },
  ...{ service_level: null, release_version: null, purpose_usage: null, purpose_role: null, purpose_addons: [] },
  auto_attach: true,
  ...grants,
})
const named = ({ id, name }: KeyGrants) => ({ id, name })

describe('several keys', () => {
  test('give the pairs of the last one that has any, all of them', () => {
    const [a, b, c] = [
      key('a', { environments: [pair(1, 1)] }),
      key('b', { environments: [pair(2, 2), pair(1, 3)] }),
      key('c'),
    ]
    expect(computeEffectiveRegistration([a, b, c], {}, OWNER).content_view_environments).toEqual({
      ...{ value: [pair(2, 2), pair(1, 3)], key: named(b), from: 'key' },
      conflicts: [{ key: named(a), value: [pair(1, 1)] }],
    })
    expect(computeEffectiveRegistration([b, a, c], {}, OWNER).content_view_environments.value).toEqual([pair(1, 1)])
    expect(computeEffectiveRegistration([c], {}, OWNER).content_view_environments).toMatchObject({
      value: [],
      from: null,
    })
  })

  test.each(['release_version', 'purpose_usage', 'purpose_role', 'service_level'] as const)(
    'say %s by the last one that does, whatever the host asks for',
    (field) => {
      const [a, b, c] = [key('a', { [field]: 'x' }), key('b', { [field]: 'y' }), key('c', { [field]: '' })]
      expect(computeEffectiveRegistration([a, b, c], { [field]: 'z' }, OWNER)[field]).toEqual({
        ...{ value: 'y', key: named(b), from: 'key', conflicts: [{ key: named(a), value: 'x' }] },
      })
      expect(computeEffectiveRegistration([c], { [field]: 'z' }, OWNER)[field]).toMatchObject({
        value: 'z',
        key: null,
        from: 'host',
      })
      expect(computeEffectiveRegistration([c], { [field]: '' }, OWNER)[field]).toMatchObject({
        value: null,
        from: null,
      })
    },
  )

  test('replace the add-ons of the host with those of the last one that has some', () => {
    const keys = [key('a', { purpose_addons: ['x', 'y'] }), key('b', { purpose_addons: ['y', 'x'] }), key('c')]
    expect(computeEffectiveRegistration(keys, { purpose_addons: ['z'] }, OWNER).purpose_addons).toMatchObject({
      ...{ value: ['y', 'x'], conflicts: [] },
    })
    expect(computeEffectiveRegistration([key('c')], { purpose_addons: ['z'] }, OWNER).purpose_addons.value).toEqual([
      'z',
    ])
  })

  test('put the host into the collections of all of them', () => {
    const [all, web] = [
      { id: 1, name: 'all' },
      { id: 2, name: 'web' },
    ]
    const [a, b] = [key('a', { host_collections: [all] }), key('b', { host_collections: [all, web] })]
    expect(computeEffectiveRegistration([a, b], {}, OWNER).host_collections).toEqual([
      { ...all, keys: [named(a), named(b)] },
      { ...web, keys: [named(b)] },
    ])
  })

  test('override by content and name, the last one counts', () => {
    const override = (content_id: number, name: string, value: string) => ({
      content_id,
      content_label: `c${content_id}`,
      name,
      value,
    })
    const a = key('a', {
      overrides: [override(1, 'enabled', '1'), override(1, 'priority', '5'), override(2, 'enabled', '1')],
    })
    const b = key('b', { overrides: [override(1, 'enabled', '0'), override(2, 'enabled', '1')] })
    expect(computeEffectiveRegistration([a, b], {}, OWNER).content_overrides).toEqual([
      { ...override(1, 'enabled', '0'), key: named(b), conflicts: [{ key: named(a), value: '1' }] },
      { ...override(1, 'priority', '5'), key: named(a), conflicts: [] },
      { ...override(2, 'enabled', '1'), key: named(b), conflicts: [] },
    ])
  })
})

test('the service level of the organization is for hosts that nobody gives one', () => {
  const owner = { ...OWNER, service_level: 'Standard', service_levels: ['Premium', 'Standard'] }
  expect(computeEffectiveRegistration([key('a')], {}, owner).service_level).toMatchObject({
    value: 'Standard',
    from: 'organization',
  })
  const [a, b] = [key('a', { service_level: 'premium' }), key('b', { service_level: 'Gold' })]
  const effective = computeEffectiveRegistration([a, b], {}, owner)
  expect(effective.service_level).toMatchObject({ value: 'premium', key: named(a), conflicts: [] })
  expect(effective.unavailable_service_levels).toEqual([{ key: named(b), value: 'Gold' }])
})

test('pools count only where hosts need subscriptions', () => {
  const pool = (id: number, quantity: number | null) => ({ id, name: `p${id}`, quantity })
  const a = key('a', { auto_attach: false, subscriptions: [pool(1, 2), pool(2, null)] })
  const b = key('b', { auto_attach: false, subscriptions: [pool(1, 3)] })
  const [c, d] = [key('c', { subscriptions: [pool(3, null)] }), key('d')]
  const owner = { ...OWNER, content_access_mode: 'entitlement' as const }
  const effective = computeEffectiveRegistration([a, b, c, d], {}, owner)
  expect(effective.subscriptions).toEqual([
    { ...pool(1, 3), key: named(b), keys: [named(a), named(b)], conflicts: [{ key: named(a), value: 2 }] },
    { ...pool(2, null), key: named(a), keys: [named(a)], conflicts: [] },
  ])
  expect(effective.auto_attach).toEqual([
    { key: named(c), among: [3] },
    { key: named(d), among: null },
  ])
  expect(computeEffectiveRegistration([a, b, c, d], {}, OWNER)).toMatchObject({ subscriptions: [], auto_attach: [] })
})

test('names are separated by commas, each counts once, and blanks are part of them', () => {
  expect(parseKeyNames('a, b,a,,c d,')).toEqual(['a', ' b', 'c d'])
})
