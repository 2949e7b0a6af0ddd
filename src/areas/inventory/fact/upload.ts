import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { invalid, notFound } from '../../../errors.ts'
import {
  type Action,
  joinConditions,
  limitToScope,
  type Resource,
  readStored,
  type Stored,
  selectWholeRow,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { loadRawHostWithNext } from '../host/raw.ts'
import { readUpload, type Upload } from './read-upload.ts'
import { changeReportedHost, createReportedHost, type KnownHost, storeMoment } from './reported-host.ts'
import { storeFacts } from './store.ts'
import { exclusionOf } from './without-excluded.ts'
import { withoutRefused } from './without-refused.ts'

/** `POST /api/hosts/facts`: an agent uploads the facts of its host (smart-parameters §9.2). An action of hosts. */
export const uploadFacts: Action = {
  method: 'POST',
  path: '/facts',
  name: 'facts',
  forMachines: true,
  summary: 'Upload the facts of a host, which is created when it is not known',
  permissions: ['upload_facts'],
  body: z.object({
    name: z.string().meta({ description: 'Name of the host.' }),
    certname: z.string().optional().meta({ description: 'Name of its certificate; default: the name.' }),
    facts: z.record(z.string(), z.json()).meta({ description: 'All of its facts; others that it had are forgotten.' }),
  }),
  outputs: 'deleted',
  status: 201,
  handle: async (ctx, resource, { body }) => {
    const upload = readUpload(body, exclusionOf(ctx.settings.excluded_facts))
    let refused: readonly string[] = []
    const receiveWithout = (dropped: ReadonlySet<string>) => {
      refused = [...dropped].map((key) => `do not fit the host: ${key}`)
      return receive(ctx, resource, upload, dropped)
    }
    const stored = await withoutRefused(ctx, receiveWithout)
    if (upload.leftOut.length > 0) ctx.log.info({ leftOut: upload.leftOut }, 'facts cannot be kept')
    return { status: 201, body: stored, headers: sayLeftOut([...upload.leftOut, ...refused]) }
  },
}

/** The header that says what of an upload was left out, each with the reason. */
function sayLeftOut(messages: readonly string[]): Readonly<Record<string, string>> {
  if (messages.length === 0) return {}
  const text = messages.map((message) => message.replace(/[^\x20-\x7e]/g, '?')).join('; ')
  return { 'millwright-left-out': text.slice(0, 2000) }
}

async function receive(ctx: Context, hosts: Resource, upload: Upload, dropped: ReadonlySet<string>): Promise<unknown> {
  const readHost = await inTransaction(ctx, async (tx) => {
    const known = await findHost(tx, hosts, upload)
    if (known && !known.reachable) throw notFound(hosts.name, upload.name)
    if (known?.build) throw invalid({ base: ['Host is pending for build'] }, known.id)
    if (known?.stale) return loadRawHostWithNext(tx, hosts, known.id)
    if (!known && !tx.settings.create_new_host_when_facts_are_uploaded) throw notFound(hosts.name, upload.name)
    const id = known
      ? await changeReportedHost(tx, hosts, upload, known, dropped)
      : await createReportedHost(tx, hosts, upload, dropped)
    await storeFacts(tx, id, upload.facts, upload.teller)
    storeMoment(tx, id, upload.taken)
    return loadRawHostWithNext(tx, hosts, id)
  })
  return readHost()
}

/**
 * Finds and locks the host, first by the name in the certificate, and reads its stored row, by one message. Facts older than
 * the last upload are ignored.
 */
async function findHost(
  ctx: Context,
  hosts: Resource,
  { name, certname, taken }: Upload,
): Promise<KnownHost | undefined> {
  const wanted = [name, ...(certname ? [certname] : [])]
  const selectNamed = sql`from hosts t where coalesce(t.certname, t.name) = ${certname ?? name} or t.name = any (${wanted}::text[])
      order by (coalesce(t.certname, t.name) = ${certname ?? name}) desc, t.id limit 1`
  const locking = ctx.db.enqueue<
    Omit<KnownHost, 'stored'>
  >(sql`select t.id, t.name, t.managed, t.build, coalesce(t.last_compile >= ${taken}::timestamptz, false) as stale,
        ${joinConditions(limitToScope(ctx, hosts))} as reachable,
        ${titleOf('organization')} as organization, ${titleOf('location')} as location, ${titleOf('hostgroup')} as hostgroup
      ${selectNamed} for no key update of t`)
  const read = await row<Stored>(ctx.db, sql`select ${selectWholeRow(hosts)} ${selectNamed}`)
  const [locked] = await locking()
  if (!locked) return undefined
  // While it waited for the lock another host may have got the name.
  const stored = read?.id === locked.id ? read : await readStored(ctx, hosts, locked.id)
  return stored && { ...locked, stored }
}

function titleOf(link: string): Sql {
  return sql`(select x.title from ${sql.table(`${link}s`)} x where x.id = ${sql.ref(`t.${link}_id`)})`
}
