import { openDirectory } from '../../src/directory/directory.ts'
import { sourceOf } from '../../test/directory/sources.ts'
import { startFault } from '../../test/support/directories/faults.ts'
import { startDirectory, type TestDirectory } from '../../test/support/directories/index.ts'
import { MEMBER_GROUPS } from '../../test/support/directories/slapd-data.ts'
import type { Stage } from '../data.ts'
import {
  type Administer,
  createAdministrator,
  formatBasic,
  insertPeople,
  logsIn,
  openBareLogin,
  PATH,
} from '../directory.ts'
import { computeQuantile, get, type Pace } from '../measure.ts'
import { type Running, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_MOST = { login: 3, outage: 2 }
/** A member of 100 groups of the directory, of 80 directly. */
const LOGIN = 'many'
const LINKED = 10
const TURNS_PER_ROUND = 150
const WARM_UP = 300
const LOGINS_AT_ONCE = 200
/** Longer than the ten seconds after which a login through a silent directory is refused. */
const OUTAGE_SECONDS = 12

/**
 * Measures logins through directories beside the LDAP library alone, and how they slow other requests down while a directory
 * does not answer.
 */
export async function measureLogin(stages: Stages, pace: Pace): Promise<Line[]> {
  await using directory = await startDirectory('slapd')
  if (!directory) return []
  const stage = await stages.small()
  await using service = await startService(stages.folder, stage.env)
  const administer = await createAdministrator(service, stage)
  return [
    ...(await measureWarmLogin({ directory, service, administer }, pace)),
    ...(await measureDuringOutage({ directory, service, administer }, stage, pace)),
  ]
}

interface Scene {
  readonly directory: TestDirectory
  readonly service: Running
  readonly administer: Administer
}

/**
 * Measures logins without caches: before each, the administrator changes a user, so that the service forgets cached callers
 * and locations. The administrator's next request loads the locations again, but not the person.
 */
async function measureWarmLogin({ directory, service, administer }: Scene, { rounds }: Pace): Promise<Line[]> {
  const { id: sourceId } = await createSource(administer, 'warm', {
    host: directory.host,
    port: directory.tlsPort,
    tls: true,
    ca_certificate: directory.ca,
    account: directory.serviceAccount.dn,
    account_password: directory.serviceAccount.password,
    base_dn: directory.usersBase,
    groups_base: MEMBER_GROUPS,
    onthefly_register: true,
  })
  await createLinkedGroups(administer, sourceId)
  const { id: changing } = await administer('POST', '/api/users', {
    user: { login: 'changing', mail: 'a@example.test', auth_source_id: 1, password: 'bench-password' },
  })
  using person = logsIn(service, LOGIN, directory.password)
  await using library = await openBareLogin(directory, LOGIN)
  await using opened = openDirectory(sourceOf(directory, { groupsBase: MEMBER_GROUPS }))

  const times = { service: [] as number[], directory: [] as number[], bare: [] as number[] }
  for (let turn = -WARM_UP; turn < rounds * TURNS_PER_ROUND; turn++) {
    const bare = await timeWork(() => library.once(), 80)
    const alone = await timeWork(async () => {
      const found = await opened.authenticate(LOGIN, directory.password)
      return found ? (await opened.groupsOf(found)).size : 0
    }, 100)
    await administer('PUT', `/api/users/${changing}`, { user: { description: `changed ${turn}` } })
    await administer('GET', PATH)
    const whole = await timeWork(() => person.once(), 200)
    if (turn < 0) continue
    times.bare.push(bare)
    times.directory.push(alone)
    times.service.push(whole)
  }
  const ratio = computeQuantile(times.service, 0.5) / computeQuantile(times.bare, 0.5)
  const line = { row: 'login', database: 'PostgreSQL' } as const
  return [
    {
      ...line,
      work: 'login, 100 nested groups',
      ...spread(times.service),
      ratio,
      to: 'p50 of the library',
      budget: { text: `p50 <= ${AT_MOST.login} times`, met: ratio <= AT_MOST.login },
    },
    { ...line, work: '  questions to the directory alone', ...spread(times.directory) },
    { ...line, work: '  library alone: search, bind, search', ...spread(times.bare) },
  ]
}

/** Lists with a token, first undisturbed, then from just before the logins until the last one is refused. */
async function measureDuringOutage(
  { directory, service, administer }: Scene,
  stage: Stage,
  pace: Pace,
): Promise<Line[]> {
  await using generator = startGenerator()
  const requests = [get('/api/architectures', stage.people.viewer)]
  const load = (seconds: number) =>
    generator.run({ port: service.port, requests, connections: pace.connections, seconds })
  await load(pace.seconds * 2)
  const before: number[] = []
  const during: number[] = []
  for (let round = 0; round < pace.rounds; round++) {
    await using dead = await startFault('black hole', directory)
    const { id } = await createSource(administer, `dead ${round}`, { host: dead.host, port: dead.port })
    const logins = await insertPeople(stage, id, LOGINS_AT_ONCE)
    before.push(...(await load(OUTAGE_SECONDS)).latencies)
    const [{ latencies }] = await Promise.all([load(OUTAGE_SECONDS), refuseAll(service, logins)])
    during.push(...latencies)
  }
  const [calm, disturbed] = [spread(before), spread(during)]
  const ratio = disturbed.p99 / calm.p99
  const line = { row: 'login', database: 'PostgreSQL' } as const
  return [
    {
      ...line,
      work: `list 20 architectures during ${LOGINS_AT_ONCE} logins at a dead directory`,
      requestsPerSecond: during.length / (pace.rounds * OUTAGE_SECONDS),
      ...disturbed,
      ratio,
      to: 'p99 before',
      budget: { text: `p99 <= ${AT_MOST.outage} times`, met: ratio <= AT_MOST.outage },
    },
    { ...line, work: '  before', requestsPerSecond: before.length / (pace.rounds * OUTAGE_SECONDS), ...calm },
  ]
}

async function refuseAll({ port }: Running, logins: readonly string[]): Promise<void> {
  const start = performance.now()
  const answers = await Promise.all(
    logins.map(async (name) => {
      const headers = { authorization: formatBasic(name, 'bench-password') }
      const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers })
      await answer.arrayBuffer()
      return { status: answer.status, afterMs: performance.now() - start }
    }),
  )
  const odd = answers.find(({ status, afterMs }) => status !== 401 || afterMs > OUTAGE_SECONDS * 1000)
  if (odd) throw new Error(`a login at a dead directory was answered ${odd.status} after ${Math.round(odd.afterMs)} ms`)
}

function createSource(administer: Administer, name: string, settings: object): Promise<{ id: number }> {
  const source = { name, attr_login: 'uid', attr_firstname: 'givenName', attr_lastname: 'sn', attr_mail: 'mail' }
  return administer('POST', '/api/auth_source_ldaps', {
    auth_source_ldap: { ...source, server_type: 'posix', ...settings },
  })
}

/** Creates user groups linked to groups of the person, the nested ones first. */
async function createLinkedGroups(administer: Administer, auth_source_id: number): Promise<void> {
  for (let index = 0; index < LINKED; index++) {
    const { id } = await administer('POST', '/api/usergroups', { name: `linked ${index}` })
    const name = index < 4 ? `many-top-${index}` : `many-leaf-${index}`
    await administer('POST', `/api/usergroups/${id}/external_usergroups`, { name, auth_source_id })
  }
}

/** Measures the milliseconds of work, and checks its result. */
async function timeWork(work: () => Promise<number>, expected: number): Promise<number> {
  const start = performance.now()
  const result = await work()
  if (result !== expected) throw new Error(`a login came to ${result}, not ${expected}`)
  return performance.now() - start
}

function spread(times: readonly number[]): { p50: number; p99: number } {
  return { p50: computeQuantile(times, 0.5), p99: computeQuantile(times, 0.99) }
}
