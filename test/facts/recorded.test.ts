import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { membersOf } from '../../src/lib/values.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { DIFFERENCES } from './differences.ts'
import { type RecordedFacts, recordedFacts } from './recorded.ts'

// Facts of 1,130 machines are uploaded, and what they make of their hosts is compared with what an existing server makes of
// them. `differences.ts` has a reason for each difference.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** What is compared of a host. */
type Parts = Readonly<Record<'system' | 'family' | 'architecture' | 'model' | 'interfaces', unknown>>

const RECORDED = recordedFacts()
const LANES = 4
const LEAST = 0.98

test('facts of any machine are taken, and make what an existing server makes of them', {
  timeout: 120_000,
}, async () => {
  const refused: unknown[] = []
  const uploadAll = async (chosen: (recorded: RecordedFacts) => boolean) => {
    const waiting = [...RECORDED.entries()].filter(([, recorded]) => chosen(recorded)).values()
    const uploadNext = async () => {
      for (const [index, { file, facts }] of waiting) {
        const { status, text, headers } = await api.admin.post('/api/hosts/facts', { name: nameOf(index), facts })
        if (status !== 201 || headers['millwright-left-out'] !== undefined) refused.push([file, status, text])
      }
    }
    await Promise.all(Array.from({ length: LANES }, uploadNext))
  }
  // Records of systems are shared, and are described as the first facts say: those that have a description to compare.
  await uploadAll(({ want }) => want.os !== null)
  await uploadAll(({ want }) => want.os === null)
  expect(refused).toEqual([])

  const made = await readMade()
  const titles = Map.groupBy(RECORDED, ({ want }) => printSystem(want.os))
  const found = RECORDED.flatMap((recorded, index) => {
    const wanted = wantedOf(recorded)
    const known = titles.get(printSystem(recorded.want.os)) ?? []
    const got = made(nameOf(index), new Set(known.map(({ want }) => want.os?.description ?? printSystem(want.os))))
    return Object.entries(wanted)
      .filter(([part, value]) => !isEqual(value, got[part as keyof Parts]))
      .map(([part, value]) => ({ part, file: recorded.file, wanted: value, got: got[part as keyof Parts] }))
  })
  const listed = DIFFERENCES.flatMap(({ part, files }) => files.map((file) => `${part} of ${file}`))
  const unexpected = found.filter(({ part, file }) => !listed.includes(`${part} of ${file}`))
  expect(unexpected).toEqual([])
  expect(listed.filter((one) => !found.some(({ part, file }) => one === `${part} of ${file}`))).toEqual([])
  for (const [part, differing] of Map.groupBy(found, ({ part }) => part)) {
    expect(differing.length / RECORDED.length, part).toBeLessThanOrEqual(1 - LEAST)
  }
})

/** Facts that are read, and values as no agent should report them. */
const READ = [
  ...[
    'os.name',
    'os.release.full',
    'os.release.major',
    'os.release.minor',
    'os.distro.description',
    'os.distro.codename',
  ],
  ...[
    'os.distro.id',
    'os.architecture',
    'operatingsystem',
    'operatingsystemrelease',
    'kernel',
    'kernelrelease',
    'domain',
  ],
  ...[
    'dmi.product.name',
    'hardwareisa',
    'environment',
    'virtual',
    'is_virtual',
    'interfaces',
    'ipaddress_eth0',
    'ipaddress',
  ],
  ...['macaddress_eth0', 'networking.interfaces.eth0.ip', 'networking.interfaces.eth0.mac', 'networking.domain'],
  ...['networking.ip6', 'networking.mac', 'networking.primary'],
]
const ODD = [
  ...[
    'x',
    'a b',
    'ü 🦊',
    '-',
    '..',
    '../etc',
    "'; --",
    '<b>',
    '%',
    '\n',
    '\u202e',
    'a\0b',
    '\ud800',
    'x'.repeat(256),
    'x'.repeat(70_000),
  ],
  ...[
    'Debian',
    'Ubuntu',
    'SLES',
    'windows',
    '1',
    '1.2.3',
    '999999',
    '22.04',
    '1_u',
    'sid',
    '-1',
    '1e400',
    'eth0',
    'eth0,eth0,lo',
  ],
  ...['999.1.1.1', '192.0.2.1', '::1', 'fe80::1', 'recorded.test', 'zz:zz', '52:54:00:00:00:01', 'true'],
  ...[0, -1, 1e300, true, false, null, [], ['a'], {}, { full: 'x' }, { full: { deeper: 1 } }],
]

test('no fact refuses its host, whatever its value', { timeout: 60_000 }, async () => {
  let count = 0
  const fact = fc.tuple(fc.constantFrom(...READ), fc.constantFrom<unknown>(...ODD))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fact, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('x', 'known'),
      async (told, which) => {
        const name = which === 'known' ? 'odd.recorded.test' : `odd${count++}.recorded.test`
        const facts = told.reduce(withFact, { kept: 'yes' })
        const { status, text } = await api.admin.post('/api/hosts/facts', { name, facts })
        expect([status, text]).toEqual([201, expect.any(String)])
      },
    ),
    { numRuns: 150 },
  )
})

/** Yields facts with a further one below its path; one that stands in the way gives way. */
function withFact(facts: Readonly<Record<string, unknown>>, [path, value]: readonly [string, unknown]) {
  const [first = '', ...rest] = path.split('.')
  const within = membersOf(facts[first])
  const below: Record<string, unknown> = rest.length > 0 ? withFact(within, [rest.join('.'), value]) : {}
  return { ...facts, [first]: rest.length > 0 ? below : value }
}

const nameOf = (index: number) => `m${index}.recorded.test`

const isEqual = (wanted: unknown, got: unknown) =>
  wanted === 'any' ? got !== null : JSON.stringify(wanted) === JSON.stringify(got)

const printSystem = (os: RecordedFacts['want']['os']) =>
  os === null ? '' : `${os.name} ${os.major}${os.minor === '' ? '' : `.${os.minor}`}`

/**
 * What the server made, but for link-local addresses, which it does not store, tags that are no numbers, and how MAC addresses
 * are written. A system that it lost is any here.
 */
function wantedOf({ want: { os, architecture, model, interfaces } }: RecordedFacts): Parts {
  const isKept = (ip6: string | undefined) => ip6 !== undefined && !ip6.startsWith('fe80:')
  return {
    system: os ? [os.name, os.major, os.minor, 'a title of it'] : 'any',
    family: os ? os.family : 'any',
    architecture,
    model,
    interfaces: Object.entries(interfaces)
      .map(([identifier, own]) => [
        identifier,
        own.macaddress?.toLowerCase().replace(/(?<![0-9a-f])[0-9a-f](?![0-9a-f])/g, '0$&') ?? null,
        own.ipaddress ?? null,
        isKept(own.ipaddress6) ? own.ipaddress6 : null,
        own.virtual,
        own.attached_to ?? null,
        /^\d+$/.exec(own.tag ?? '')?.[0] ?? null,
        own.bridge ?? false,
      ])
      .sort(),
  }
}

/** Reads all hosts that facts made; what is yielded compares the title of a system with those that it may have. */
async function readMade(): Promise<(host: string, titles: ReadonlySet<string>) => Parts> {
  const all = await rows<{
    name: string
    os: { name: string; major: string; minor: string; family: string | null; title: string } | null
    architecture: string | null
    model: string | null
    interfaces: unknown[]
  }>(
    api.database.db,
    sql`select h.name, to_jsonb(o) as os, a.name as architecture, m.name as model,
        coalesce((select json_agg(json_build_array(i.identifier, i.mac, host(i.ip), host(i.ip6), i.virtual, i.attached_to,
          nullif(i.tag, ''), i.type = 'bridge')) from interfaces i where i.host_id = h.id and i.identifier is not null), '[]') as interfaces
      from hosts h left join operatingsystems o on o.id = h.operatingsystem_id
      left join architectures a on a.id = h.architecture_id left join models m on m.id = h.model_id`,
  )
  const hosts = new Map(all.map((host) => [host.name, host]))
  return (name, titles) => {
    const host = hosts.get(name)
    const os = host?.os ?? null
    return {
      system: os && [os.name, os.major, os.minor, titles.has(os.title) ? 'a title of it' : os.title],
      family: os?.family ?? null,
      architecture: host?.architecture ?? null,
      model: host?.model ?? null,
      interfaces: (host?.interfaces ?? []).sort(),
    }
  }
}
