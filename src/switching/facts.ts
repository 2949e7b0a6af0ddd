import { storeFacts } from '../areas/inventory/index.ts'
import { storeFormerRegistration } from '../areas/registration/index.ts'
import type { Context } from '../context.ts'
import { isMembers, type Members } from '../lib/values.ts'
import { sql } from '../sql.ts'
import type { Found } from './found.ts'
import { computeDigest } from './members.ts'
import { Unreadable } from './old-server.ts'
import type { Run } from './run.ts'

/** The facts of a host and its registration, to be stored with it. Facts change nothing else: the record says what the old server made of them. */
export async function readFacts(
  { server, reporting }: Pick<Run, 'server' | 'reporting'>,
  record: Members,
): Promise<Pick<Found, 'further' | 'also'>> {
  try {
    const facts = await fetchFacts(server, Number(record.id))
    const { last_compile, last_report } = record
    const former = readFormerRegistration(record)
    return {
      also: computeDigest([Object.fromEntries(facts), last_compile, last_report, ...(former ? [former] : [])]),
      further: async (tx, id) => {
        if (facts.size > 0) await storeFacts(tx, id, facts)
        await storeMoments(tx, id, last_compile, last_report)
        if (former) await storeFormerRegistration(tx, id, former)
      },
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const reason = `Its facts are left out: ${error.message}.`
    reporting.remark('host', {
      record: String(record.name),
      outcome: 'left',
      reason,
      fix: 'The next report of the host brings its facts.',
    })
    return {}
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads the registration for subscriptions, by whose identity clients go on here. */
function readFormerRegistration({ subscription_facet_attributes: facet }: Members) {
  if (!isMembers(facet) || typeof facet.uuid !== 'string' || !UUID.test(facet.uuid)) return null
  const { uuid, dmi_uuid, registered_at } = facet
  return {
    uuid,
    systemUuid: typeof dmi_uuid === 'string' && dmi_uuid.length <= 255 ? dmi_uuid : null,
    registeredAt: typeof registered_at === 'string' && !Number.isNaN(Date.parse(registered_at)) ? registered_at : null,
  }
}

const PAGE = 1000

async function fetchFacts(server: Run['server'], host: number): Promise<Map<string, string | null>> {
  const facts = new Map<string, string | null>()
  for (let page = 1; ; page++) {
    const { results, total } = await server.get(`/api/hosts/${host}/facts`, { per_page: PAGE, page })
    const before = facts.size
    // Results are an object: facts by the name of the host.
    for (const own of isMembers(results) ? Object.values(results) : [])
      for (const [name, value] of Object.entries(isMembers(own) ? own : {}))
        facts.set(name, typeof value === 'string' ? value : null)
    if (facts.size === before || facts.size < PAGE * page || facts.size >= Number(total ?? 0)) return facts
  }
}

async function storeMoments(tx: Context, id: number, compiled: unknown, reported: unknown): Promise<void> {
  const readMoment = (value: unknown) => (typeof value === 'string' ? value : null)
  await sql`update hosts set last_compile = ${readMoment(compiled)}::timestamptz, last_report = ${readMoment(reported)}::timestamptz
    where id = ${id}`.execute(tx.db)
}
