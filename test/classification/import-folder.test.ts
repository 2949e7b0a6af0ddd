import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ImportOptions, importClasses } from '../../src/areas/configuration/import/importing.ts'
import { openFolderSource } from '../../src/areas/configuration/import/sources/folder.ts'
import { type Db, rows } from '../../src/database/sql.ts'
import { openKept, selectKept } from '../../src/encryption/hidden-values.ts'
import { loadSettings, seedSettings } from '../../src/settings/settings.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { UNKNOWN_KEYS } from '../support/encryption.ts'
import { hasClassTools, writeManifests } from '../support/peers/class-folder.ts'

const ruby = hasClassTools()

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-classes-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const WEB = `
# The web server.
class web(
  Integer $port = 80,
  Boolean $on = false,
  Optional[String] $name2 = undef,
  Float $ratio = 2.0,
  $expression = "x-\${port}",
  $fact = $facts['os'],
  $top = $a::b,
  Hash $map = {'a' => 1, b => [1.5, true]},
  $must,
  Sensitive[String] $secret = Sensitive('abc'),
  Integer $below = -5,
  $big = 9007199254740993,
) { }
define web::vhost($x) { }
`

function importing(db: Db, order: Partial<ImportOptions> = {}) {
  const user = { id: null, name: 'System', admin: true, organizations: [], locations: [] }
  return async () => {
    const settings = await loadSettings(db)
    const origin = { requestId: null, address: null }
    const ctx = { db, settings, user, origin, encryption: UNKNOWN_KEYS, log: pino({ level: 'silent' }) }
    const all = { only: null, dryrun: false, force: false, except: new Set<never>(), seen: sql`true`, ...order }
    await using source = openFolderSource(folder)
    return importClasses(ctx, source, all)
  }
}

describe.skipIf(!ruby)('a folder of environments', () => {
  test('is read by the tools of the engine', async () => {
    await using database = await openTestDatabase()
    await seedSettings(database.db)
    writeManifests(folder, {
      'production/modules/web/manifests/init.pp': WEB,
      'production/modules/web/manifests/ssl/deep.pp': 'class web::ssl::deep { }',
      'production/manifests/site.pp': 'class site($x = [1]) { }\nnode default { }',
      'staging/environment.conf': 'modulepath = site:modules:$basemodulepath\n',
      'staging/site/role/manifests/init.pp': 'class role { }',
      'staging/modules/role/manifests/init.pp': 'class role { }\nclass role::hidden { }',
    })
    const run = importing(database.db)
    const said = await importing(database.db, { dryrun: true })()
    expect(await run()).toEqual(said)
    expect(said.reports).toEqual([
      { name: 'production', actions: ['new'], new_configclasses: ['site', 'web', 'web::ssl::deep'] },
      { name: 'staging', actions: ['new'], new_configclasses: ['role'] },
    ])
    const open = (value: string | null) => openKept(UNKNOWN_KEYS, 'smart_class_parameters', value)
    const found = await rows<{ parameter: string; type: string | null; value: string | null; hidden: boolean }>(
      database.db,
      sql`select p.parameter, p.parameter_type as type, ${selectKept('smart_class_parameters', 'p')} as value, p.hidden_value as hidden
        from smart_class_parameters p join configclasses c on c.id = p.configclass_id where c.name = 'web' order by p.parameter`,
    )
    expect(found.map(({ parameter, type, value, hidden }) => [parameter, type, open(value), hidden])).toEqual([
      ['below', 'integer', '-5', false],
      ['big', 'integer', '9007199254740993', false],
      ['expression', 'string', '"\\"x-${port}\\""', false],
      ['fact', 'string', '"${facts[\'os\']}"', false],
      ['map', 'hash', '{"a": 1, "b": [1.5, true]}', false],
      ['must', null, null, false],
      ['name2', null, null, false],
      ['on', 'boolean', 'false', false],
      ['port', 'integer', '80', false],
      ['ratio', 'real', '2.0', false],
      ['secret', 'string', '"Sensitive(\'abc\')"', true],
      ['top', 'string', '"${a::b}"', false],
    ])
    expect(await run()).toEqual({ reports: [], isFound: true })
  })

  test('tells of files that cannot be read, and removes nothing then', async () => {
    await using database = await openTestDatabase()
    await seedSettings(database.db)
    writeManifests(folder, { 'e/modules/web/manifests/init.pp': 'class web { }' })
    const run = importing(database.db)
    await run()
    writeManifests(folder, { 'e/modules/web/manifests/init.pp': 'class web( {' })
    expect((await run()).reports).toEqual([
      { name: 'e', actions: [], unreadable_files: [join(folder, 'e/modules/web/manifests/init.pp')] },
    ])
    writeManifests(folder, { 'e/modules/web/manifests/init.pp': 'class other { }' })
    expect((await run()).reports).toEqual([
      { name: 'e', actions: ['new', 'obsolete'], new_configclasses: ['other'], obsolete_configclasses: ['web'] },
    ])
  })

  test('that is not there is an error', async () => {
    await using database = await openTestDatabase()
    await seedSettings(database.db)
    rmSync(folder, { recursive: true })
    await expect(importing(database.db)()).rejects.toThrow(/Unable to get classes from .* cannot be read \(ENOENT\)/)
  })
})

test('without the tools of the engine that is said', async () => {
  writeManifests(folder, { 'e/manifests/site.pp': 'class web { }' })
  await using source = openFolderSource(folder, join(folder, 'nothing'))
  expect(await source.environments()).toEqual(['e'])
  await expect(source.read('e', { hash: null, etag: null })).rejects.toThrow(
    /tools of the configuration engine failed: .*ENOENT/,
  )
})
