import pg from 'pg'
import type { Stage } from '../data.ts'
import { computeQuantile, type Pace } from '../measure.ts'
import { startService, startWriting } from '../processes.ts'
import { authenticateAdministrator, type Send, sendTo, timeWork } from '../sending.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

/** The number of single writes of each kind, of operations in a batch, and the budgets. */
const SINGLE = 200
const MANY = 1000
const AT_LEAST = 0.5
const BATCH_MS = { create: 3000, update: 2000 } as const

type Kind = 'create' | 'update' | 'delete'
type Times = Readonly<Record<Kind, number[]>>

/**
 * Writes of hosts that are answered when the disk has them, audits included: one after the other, in turns with an expert's
 * handler that does the same in one transaction, and in batches. What its transaction takes without HTTP and the answer is
 * printed beside it.
 */
export async function measureWriteRows(stages: Stages, { rounds }: Pace): Promise<Line[]> {
  const durable = await stages.durable()
  return [
    ...(await measureWrites(stages, durable, rounds, 'PostgreSQL')),
    ...(await measureWrites(stages, await stages.bundled(), rounds, 'bundled')),
  ]
}

async function measureWrites(
  stages: Stages,
  stage: Stage,
  rounds: number,
  database: Line['database'],
): Promise<Line[]> {
  await using service = await startService(stages.folder, stage.env)
  const send = await authenticateAdministrator(service.port, stage)
  await using handler = stage.url === null ? null : await startWriting(stage.url)
  const expert = handler && sendTo(handler.port, '')
  const subjects = [send, ...(expert ? [expert] : [])]
  await inTurns(subjects, stage, 'warm')
  const [ours, best] = await inTurns(subjects, stage, 'then')
  const alone = stage.url === null ? null : await byExpert(stage.url, stage)
  const single = (['create', 'update', 'delete'] as const).flatMap((kind): Line[] => {
    const line = { row: 'writes', work: `${kind} a host`, database, ...computeQuantiles(ours?.[kind] ?? []) } as const
    if (!best || !alone) return [line]
    const ratio = computeQuantile(best[kind], 0.5) / line.p50
    const budget = { text: `ratio >= ${AT_LEAST}`, met: ratio >= AT_LEAST }
    return [
      { ...line, ratio, to: "expert's handler", budget },
      { ...line, work: "  expert's handler", ...computeQuantiles(best[kind]) },
      { ...line, work: '  its transaction alone', ...computeQuantiles(alone[kind]) },
    ]
  })
  return [...single, ...(await measureBatches(send, stage, rounds, database))]
}

const buildHost = ({ organization, location }: Stage, name: string) => ({
  host: { name: `${name}.example.test`, managed: false, organization_id: organization, location_id: location },
})

/** The times of each subject, which take turns. */
async function inTurns(subjects: readonly Send[], stage: Stage, word: string): Promise<Times[]> {
  const all = subjects.map((): Times => ({ create: [], update: [], delete: [] }))
  for (let n = 0; n < SINGLE; n++) {
    for (const [index, send] of subjects.entries()) {
      const times = all[index] as Times // one for each subject
      const name = `${word}-${index}-${n}`
      const { id } = await timeWork(times.create, () => send('POST', '/api/hosts', buildHost(stage, name)))
      await timeWork(times.update, () => send('PUT', `/api/hosts/${id}`, { host: { comment: `number ${n}` } }))
      await timeWork(times.delete, () => send('DELETE', `/api/hosts/${id}`))
    }
  }
  return all
}

/** Stores the host, its interface, and an audit with what changed, by hand and without an answer for a client. */
async function byExpert(url: string, { organization, location }: Stage): Promise<Times> {
  const times: Times = { create: [], update: [], delete: [] }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const query = (name: string, text: string, values: readonly unknown[]) =>
    client.query<{ id: string }>({ name, text, values: [...values] })
  const audit = (action: string, id: string, changes: object) =>
    query(
      'audit',
      `insert into audits (action, auditable_type, auditable_id, audited_changes, version, user_name)
        values ($1, 'Host', $2, $3, coalesce((select max(version) from audits where auditable_type = 'Host' and auditable_id = $2), 0) + 1, 'expert')`,
      [action, id, JSON.stringify(changes)],
    )
  const inTransaction = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await client.query('begin')
    const result = await work()
    await client.query('commit')
    return result
  }
  try {
    for (let n = 0; n < SINGLE; n++) {
      const name = `expert-${n}.example.test`
      const id = await timeWork(times.create, () =>
        inTransaction(async () => {
          const values = [name, organization, location]
          const text = 'insert into hosts (name, organization_id, location_id) values ($1, $2, $3) returning *'
          const created = (await query('host', text, values)).rows[0]?.id ?? ''
          const nic =
            'insert into interfaces (host_id, name, "primary", provision, of_managed) values ($1, $2, true, true, false)'
          await query('interface', nic, [created, name])
          await audit('create', created, { name, organization_id: organization, location_id: location })
          return created
        }),
      )
      await timeWork(times.update, () =>
        inTransaction(async () => {
          await query('lock', 'select * from hosts where id = $1 for no key update', [id])
          await query('update', 'update hosts set comment = $2, updated_at = now() where id = $1 returning *', [
            id,
            `number ${n}`,
          ])
          await audit('update', id, { comment: [null, `number ${n}`] })
        }),
      )
      await timeWork(times.delete, () =>
        inTransaction(async () => {
          await query('lock', 'select * from hosts where id = $1 for no key update', [id])
          await query('delete', 'delete from hosts where id = $1', [id])
          await audit('destroy', id, { name })
        }),
      )
    }
    return times
  } finally {
    await client.end()
  }
}

/** Hosts in batches: created with a name alone, updated, and created with an interface that has a MAC. */
async function measureBatches(send: Send, stage: Stage, rounds: number, database: Line['database']): Promise<Line[]> {
  const times = { create: [] as number[], update: [] as number[], createWithMac: [] as number[] }
  const sendBatch = async (into: number[], method: string, requests: readonly { path: string; body: object }[]) => {
    const operations = requests.map((request) => ({ method, ...request }))
    const { results } = await timeWork(into, () => send('POST', '/api/batch', { operations }))
    return results
  }
  for (let round = 0; round <= rounds; round++) {
    const { create, update, createWithMac } = round === 0 ? { create: [], update: [], createWithMac: [] } : times
    const numbers = Array.from({ length: MANY }, (_, n) => n)
    const hosts = numbers.map((n) => ({ path: '/api/hosts', body: buildHost(stage, `b${round}-${n}`) }))
    const created = await sendBatch(create, 'POST', hosts)
    const comments = created.map(({ body }, n) => ({
      path: `/api/hosts/${body.id}`,
      body: { host: { comment: `number ${n}` } },
    }))
    await sendBatch(update, 'PUT', comments)
    const withMac = numbers.map((n) => ({
      path: '/api/hosts',
      body: addMac(buildHost(stage, `m${round}-${n}`), round, n),
    }))
    await sendBatch(createWithMac, 'POST', withMac)
  }
  const works = [
    ['create 1,000 hosts in a batch', times.create, BATCH_MS.create],
    ['create 1,000 hosts with a MAC in a batch', times.createWithMac, BATCH_MS.create],
    ['update 1,000 hosts in a batch', times.update, BATCH_MS.update],
  ] as const
  return works.map(([work, measured, most]) => {
    const milliseconds = computeQuantile(measured, 0.5)
    const budget = { text: `<= ${most.toLocaleString('en')} ms`, met: milliseconds <= most }
    return { row: 'writes', work, database, milliseconds, budget }
  })
}

const addMac = ({ host }: ReturnType<typeof buildHost>, round: number, n: number) => {
  const bytes = [round, n >> 8, n & 255].map((byte) => byte.toString(16).padStart(2, '0'))
  return { host: { ...host, interfaces_attributes: [{ mac: `02:00:00:${bytes.join(':')}`, primary: true }] } }
}

function computeQuantiles(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  return { p50: computeQuantile(times, 0.5), p99: computeQuantile(times, 0.99) }
}
