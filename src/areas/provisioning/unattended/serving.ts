import { isIP } from 'node:net'
import { asTrustedService, type Context, inTransaction } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, notFound } from '../../../errors.ts'
import {
  type Draft,
  findResource,
  joinConditions,
  limitToVisible,
  lock,
  permissionOf,
  type Registry,
  selectRecord,
  updateStored,
} from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { sql } from '../../../sql.ts'
import { type Claim, findAskingHost, findByToken } from './asking-host.ts'
import { loadBuildToken } from './build-token.ts'
import { renderForGroup } from './group-rendering.ts'
import { renderForHost } from './host-rendering.ts'
import { loadViewedOptions } from './viewed-options.ts'

/** The requests below `/unattended`. */
export interface Unattended {
  /** Renders what the requesting machine is to execute. */
  readonly forMachine: (ctx: Context, kind: string, claim: Claim) => Promise<string>
  /** Renders what a host would get, for a user, who names the host by its name or address. */
  readonly forUser: (ctx: Context, kind: string, named: NamedHost) => Promise<string>
  /** Renders what a new host of a group would get. */
  readonly forGroup: (ctx: Context, template: string, group: string) => Promise<string>
  /** Ends the installation; `failure` is the error that the machine reports, or null. */
  readonly end: (ctx: Context, token: string | null, failure: string | null) => Promise<void>
}

/** How a user names a host: `hostname` by its name, `spoof` by an address. */
interface NamedHost {
  readonly key: 'hostname' | 'spoof'
  readonly value: string
}

/** Creates what answers the requests below `/unattended`, over the resources of a service. */
export function serveUnattended(registry: Registry): Unattended {
  return {
    async forMachine(ctx, kind, claim) {
      const { id, name, proven } = await findAskingHost(ctx, claim)
      ctx.log.info({ host: name, kind, proven }, 'template fetched')
      return renderForHost(ctx, id, kind, {
        secrets: proven,
        token: proven ? await loadBuildToken(ctx, id) : null,
        unhide: async (ids) => new Set(proven ? ids : []),
      })
    },
    async forUser(ctx, kind, named) {
      const hosts = findResource(registry, 'host')
      const seen = limitToVisible(ctx, hosts, permissionOf(hosts, 'view'))
      const id =
        named.key === 'hostname'
          ? (await selectRecord(ctx.db, hosts, ['id'], named.value.toLowerCase(), seen))?.id
          : await loadIdByAddress(ctx, named.value, seen)
      if (typeof id !== 'number') throw notFound('host', named.value)
      return renderForHost(ctx, id, kind, await loadViewedOptions(ctx, hosts, id, false))
    },
    forGroup: (ctx, template, group) => renderForGroup(ctx, registry, template, group),
    async end(ctx, token, failure) {
      if (token === null)
        throw badParameter(
          'token',
          null,
          'must be the build token of the host: an address does not prove which one it is',
        )
      await endBuild(ctx, registry, token, failure)
    },
  }
}

async function loadIdByAddress(
  ctx: Context,
  address: string,
  seen: Parameters<typeof joinConditions>[0],
): Promise<number | undefined> {
  if (isIP(address) === 0) throw badParameter('spoof', address, 'must be an IP address')
  const column = isIP(address) === 4 ? sql`i.ip` : sql`i.ip6`
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where ${joinConditions(seen)} and t.id in (
        select i.host_id from interfaces i where (host(${column}) collate "C") = host(${address}::inet))
      order by t.build desc, t.id limit 1`,
  )
  return found?.id
}

const LONGEST = 65_535

/**
 * Ends the installation of the host with this token, when its machine reports the end; the token is deleted, so that a
 * second report finds no host, and the change is audited. {@throws Failure} like findByToken
 */
async function endBuild(ctx: Context, registry: Registry, token: string, failure: string | null): Promise<void> {
  const hosts = findResource(registry, 'host')
  await inTransaction(asTrustedService(ctx), async (tx) => {
    // Locks the host first, as all writes of hosts do: a request that waited for it finds the token gone.
    await lock(tx, hosts, (await findByToken(tx, token)).id)
    const { id } = await findByToken(tx, token)
    const stored = await lock(tx, hosts, id)
    const outcome: Draft =
      failure === null
        ? { installed_at: tx.now().toISOString(), build_errors: null }
        : { build_errors: toStorable(failure) || 'The machine says that its installation failed, and not why.' }
    await updateStored(tx, hosts, stored, { build: false, otp: null, ...outcome })
  })
  ctx.log.info({ failed: failure !== null }, 'installation ended')
}

/** The message of a machine as the database can store it, shortened to the longest text. */
function toStorable(text: string): string {
  const plain = text.replaceAll('\0', '').trim()
  return [...(isValidText(plain) ? plain : plain.toWellFormed())].slice(0, LONGEST).join('')
}
