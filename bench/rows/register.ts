import { randomUUID } from 'node:crypto'
import { createIssuer, createKeyPair, signIdentity } from '../../src/areas/registration/authority/certificate.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { quiet, testConfig } from '../../test/support/settings.ts'
import type { Stage } from '../data.ts'
import { computeQuantile, type Pace } from '../measure.ts'
import { startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_LEAST = 200
/** The number of facts that a client reports. */
const FACTS = 100
/** More than register in one burst. */
const HOSTS = 4000

/** Measures first registrations of hosts, each with facts, a key, a collection and an override, beside signing alone. */
export async function register(stages: Stages, { connections, rounds, seconds }: Pace): Promise<Line[]> {
  const stage = await stages.small()
  const owner = await createKey(stage)
  await using generator = startGenerator()
  await using service = await startService(stages.folder, stage.env)
  const speeds: number[] = []
  const latencies: number[] = []
  for (let round = -1; round < rounds; round++) {
    const requests = Array.from({ length: HOSTS }, (_, index) =>
      formatRegistration(owner, `r${round + 1}-${index}.example.test`),
    )
    const load = await generator.run({ port: service.port, requests, connections, seconds: seconds * 2 })
    if (round < 0) continue
    speeds.push(load.requestsPerSecond)
    latencies.push(...load.latencies)
  }
  const requestsPerSecond = computeQuantile(speeds, 0.5)
  const signing = await measureSignatures(seconds)
  const line = { row: 'register', database: 'PostgreSQL' } as const
  return [
    {
      ...line,
      work: `register a new host with ${FACTS} facts`,
      ...{ requestsPerSecond, p50: computeQuantile(latencies, 0.5), p99: computeQuantile(latencies, 0.99) },
      ...{ ratio: requestsPerSecond / signing, to: 'signing alone' },
      budget: { text: `>= ${AT_LEAST}/s`, met: requestsPerSecond >= AT_LEAST },
    },
    { ...line, work: '  signing alone: a pair of keys, a certificate', requestsPerSecond: signing },
  ]
}

/** Creates a key and yields the label of the organization. */
async function createKey({ url, organization }: Stage): Promise<string> {
  await using database = await connect(testConfig({ url }), quiet)
  await sql`
    with key as (
      insert into activation_keys (organization_id, name, environment_id, content_view_id, unlimited_hosts, max_hosts)
      select ${organization}::bigint, 'bench', l.environment_id, l.content_view_id, false, 1000000
      from content_view_environments l join content_views v on v.id = l.content_view_id where v.organization_id = ${organization}::bigint
      order by 1 limit 1 returning id
    ), collection as (
      insert into host_collections (organization_id, name) values (${organization}::bigint, 'bench') returning id
    ), content as (
      insert into contents (organization_id, name, label, content_type) values (${organization}::bigint, 'bench', 'bench', 'yum') returning id
    ), joined as (
      insert into activation_key_host_collections select key.id, collection.id from key, collection
    )
    insert into activation_key_content_overrides select key.id, content.id, 'enabled', '1' from key, content`.execute(
    database.db,
  )
  const { rows } = await sql<{ label: string }>`select label from organizations where id = ${organization}`.execute(
    database.db,
  )
  return rows[0]?.label ?? ''
}

function formatRegistration(owner: string, name: string): string {
  const facts = Object.fromEntries(
    Array.from({ length: FACTS }, (_, index) => [`bench.fact.${index}`, `value ${index}`]),
  )
  const identity = { 'network.hostname': name, 'dmi.system.uuid': randomUUID() }
  const body = JSON.stringify({ type: 'system', name, installedProducts: [], facts: { ...facts, ...identity } })
  return [
    `POST /rhsm/consumers?owner=${owner}&activation_keys=bench HTTP/1.1`,
    ...['Host: localhost', 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`],
    `\r\n${body}`,
  ].join('\r\n')
}

/** Measures signatures per second on one idle core. */
async function measureSignatures(seconds: number): Promise<number> {
  const { privateKey } = await createKeyPair()
  const issuer = createIssuer(privateKey, 'bench')
  const [notBefore, notAfter] = [new Date(), new Date(Date.now() + 86_400_000)]
  const signOne = async () => {
    const made = await createKeyPair()
    const identity = { uuid: randomUUID(), owner: 'bench', hostName: 'bench.example.test', publicKey: made.publicKey }
    signIdentity(issuer, { ...identity, notBefore, notAfter })
    return made.privateKey.export({ type: 'pkcs8', format: 'pem' })
  }
  for (let turn = 0; turn < 100; turn++) await signOne()
  const start = performance.now()
  let count = 0
  for (; performance.now() - start < seconds * 1000; count++) await signOne()
  return count / ((performance.now() - start) / 1000)
}
