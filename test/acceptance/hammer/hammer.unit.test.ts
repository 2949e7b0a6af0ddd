import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { type Service, startService } from '../../../src/service/service.ts'
import { type ClassSourcePeer, startClassSource } from '../../support/peers/class-source.ts'
import { quiet } from '../../support/settings.ts'
import { type Hammer, hasHammer, openHammer } from './hammer.ts'
import { listAlike, listLacking, listNotRun, nameOf } from './listed.ts'
import { LACKING, NOT_RUN, type Reason } from './reasons.ts'
import { play, readAll, readTranscript } from './transcript.ts'

// hammer, the command line of existing sites, in two versions, against the vendor listener of a service on a bundled
// database. It derives its options from the description of the API, and prints the answers.

const VERSIONS = ['3.12', '5.0']
const MINUTES = 60_000
const there = VERSIONS.filter(hasHammer)
const hammer = there.length > 0

describe.skipIf(!hammer)('hammer', { timeout: 3 * MINUTES }, () => {
  let service: Service
  let proxy: ClassSourcePeer
  let files: string
  const url = () => service.vendorAddress ?? ''

  beforeAll(async () => {
    files = await mkdtemp(join(tmpdir(), 'hammer-files-'))
    await Promise.all(Object.entries(FILES).map(([name, text]) => writeFile(join(files, name), text)))
    proxy = await startClassSource()
    proxy.hold({ testing: { ntp: { servers: { type: 'Array', literal: ['pool.example.com'] } }, ssh: {} } })
    service = await startService(
      readConfig([], ENVIRONMENT, () => ''),
      quiet,
    )
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
    await rm(files, { recursive: true, force: true })
  })

  describe.each(there)('%s', (version) => {
    let loaded: Hammer
    // What only reads, with the same options in the newest version, is read once: there.
    const alike = version === there.at(-1) ? new Set<string>() : listAlike(version, there.at(-1) ?? version)
    const isKnown = (command: string) => {
      const name = nameOf(command, loaded.commands) ?? ''
      return READS.test(name) && alike.has(name)
    }
    const values = new Map<string, string>()

    beforeAll(async () => {
      loaded = await openHammer({ version, url: url() })
      values.set('proxy', proxy.url).set('files', files)
    }, MINUTES)
    afterAll(() => loaded?.[Symbol.asyncDispose]())

    test('loads all that it has without a warning', () => {
      expect(loaded.broken).toEqual({})
      // hammer prints this whatever the server is.
      const deprecated = /^report command is deprecated .*$/gm
      expect(loaded.said().replace(deprecated, '').trim()).toBe('')
    })

    test('has the commands and options of the servers it was made for, and each is run, but where there is a reason', () => {
      const lacking = listLacking(version, loaded.commands)
      expect(unexplained(lacking, LACKING)).toEqual([])
      expect(unexplained(listNotRun(loaded.commands), NOT_RUN)).toEqual([])
      expect(LACKING.filter(([about]) => !lacking.some((one) => about.test(one)))).toEqual([])
    })

    test.each(readAll())('$title', async (group) => {
      expect(await play({ hammer: loaded, version, url: url(), values, isKnown }, group)).toEqual([])
    })
  })

  test('logs in once, and goes on with the cookie', async () => {
    const version = there.at(-1) ?? ''
    await using loaded = await openHammer({ version, url: url(), sessions: true })
    const stage = { hammer: loaded, version, url: url(), values: new Map<string, string>() }
    for (const group of readTranscript('sessions')) expect(await play(stage, group)).toEqual([])
  })
})

/** Names of commands that change nothing. */
const READS = / (?:list|info|paths|ping|status|filters|kinds|sc-params|subscriptions|host-collections|product-content)$/

function unexplained(found: readonly string[], reasons: readonly Reason[]): string[] {
  return found.filter((one) => !reasons.some(([about]) => about.test(one)))
}

const ENVIRONMENT = {
  MILLWRIGHT_DATA_DIR: 'memory',
  MILLWRIGHT_PORT: '0',
  MILLWRIGHT_VENDOR_PORT: '0',
  MILLWRIGHT_ADMIN_LOGIN: 'admin',
  MILLWRIGHT_ADMIN_PASSWORD: 'admin-password',
}

/** The files to upload. */
const FILES = {
  layout: 'zerombr\n',
  template: 'Welcome to <%= @host.name %>\n',
  laid: '<%#\nname: Laid\nkind: ptable\noses:\n- Debian\n-%>\nzerombr\n',
  imported: '<%#\nname: Imported\nkind: provision\n-%>\nWelcome\n',
  message: '<%#\nname: copy\nmodel: WebhookTemplate\n-%>\nHello\n',
}
