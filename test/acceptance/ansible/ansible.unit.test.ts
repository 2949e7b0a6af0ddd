import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasAnsible, unpackNewerCollection } from './player.ts'
import { openSite, type Site } from './site.ts'

// The Ansible collection that existing sites run, against the vendor listener of a service on a bundled database.

const SITE = join(import.meta.dirname, 'site.yml')
const GONE = join(import.meta.dirname, 'gone.yml')
const [FLEET, FLEET_GONE] = ['fleet.yml', 'fleet-gone.yml'].map((name) => join(import.meta.dirname, name)) as [
  string,
  string,
]
const NEWER = join(import.meta.dirname, 'newer.yml')
const WEBHOOKS = join(import.meta.dirname, 'newer/webhook.yml')
const MINUTES = 60_000

const ansible = hasAnsible()

describe.skipIf(!ansible)('a site kept by Ansible', { timeout: 5 * MINUTES }, () => {
  let site: Site
  const play = (playbook: string, edition: string, ...words: string[]) => site.play(playbook, { edition }, ...words)
  /** What the other fleet has, too, is run again and changed there. */
  const replay = (edition: string, ...words: string[]) => play(SITE, edition, '--skip-tags', 'both', ...words)
  // The module sets a given password every time, and reports a change.
  const begin = () => site.play(SITE, { password: 'correct horse', first_run: 'true' })

  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site?.[Symbol.asyncDispose]())

  test('is made by the first run, and left alone by the second', async () => {
    const first = await begin()
    expect(first.failed).toEqual([])
    expect(first.changed).toEqual(expect.arrayContaining(KINDS))
    const second = await replay('1')
    expect(second.failed).toEqual([])
    expect(second.changed).toEqual([])
  })

  test('is changed where the wish has changed, once, and not by a check', async () => {
    const check = await replay('2', '--check')
    expect(check.failed).toEqual([])
    expect(check.changed).not.toEqual([])
    const changing = await replay('2')
    expect(changing.failed).toEqual([])
    // The check mode reported the changes without making them.
    expect(changing.changed).toEqual(check.changed)
    const again = await replay('2')
    expect(again.failed).toEqual([])
    expect(again.changed).toEqual([])
  })

  test('is gone after the last run, and a further one finds nothing to do', async () => {
    const gone = await play(GONE, '2')
    expect(gone.failed).toEqual([])
    expect(gone.changed).toEqual(expect.arrayContaining(['activation_key', 'product', 'host', 'organization']))
    const again = await play(GONE, '2')
    expect(again.failed).toEqual([])
    expect(again.changed).toEqual([])
  })
})

const folder = await mkdtemp(join(tmpdir(), 'ansible-collection-'))
const collection = ansible ? await unpackNewerCollection(folder) : null
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(!collection)('a site kept by a newer collection', { timeout: 10 * MINUTES }, () => {
  test('connects, is made by the first run, and left alone by the second', async () => {
    await using site = await openSite({ collections: collection ?? '' })
    const first = await site.play(NEWER)
    expect(first.failed).toEqual([])
    expect(first.changed).toEqual(expect.arrayContaining(['organization', 'product', 'repository', 'activation_key']))
    const second = await site.play(NEWER)
    expect(second.failed).toEqual([])
    expect(second.changed).toEqual([])
    for (const playbook of [FLEET, FLEET_GONE]) {
      const played = await site.play(playbook, { password: 'correct horse' })
      expect([playbook, played.failed]).toEqual([playbook, []])
      expect(played.changed.length).toBeGreaterThan(20)
    }
  })
})

describe.skipIf(!collection)('webhooks kept by a newer collection', { timeout: 5 * MINUTES }, () => {
  test('are made, left alone, changed once and deleted', async () => {
    await using site = await openSite({ collections: collection ?? '' })
    const play = async (edition: string, more: object = {}) => {
      const { failed, changed } = await site.play(WEBHOOKS, { edition, ...more })
      expect(failed).toEqual([])
      return changed
    }
    expect(await play('1', { first_run: 'true' })).toEqual(['webhook', 'webhook, full', 'webhook, password'])
    expect(await play('1')).toEqual([])
    expect(await play('2')).toEqual(['webhook'])
    expect(await play('2', { last_run: 'true' })).toEqual(['webhook, gone'])
  })
})

/** What the first playbook creates. */
const KINDS = [
  ...['organization', 'location', 'global_parameter', 'architecture', 'operatingsystem', 'user', 'usergroup'],
  ...['auth_source_ldap', 'external_usergroup', 'puppet_environment', 'smart_proxy', 'config_group'],
  ...['smart_class_parameter', 'provisioning_template', 'hostgroup', 'host'],
  ...['lifecycle_environment', 'product', 'repository', 'host_collection', 'content_view'],
  ...['content_view_version, published', 'content_view_version, promoted', 'activation_key', 'activation_key, copied'],
]
