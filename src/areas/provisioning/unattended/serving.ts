import { isIP } from 'node:net'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, notFound } from '../../../errors.ts'
import {
  findResource,
  joinConditions,
  limitToVisible,
  permissionOf,
  type Registry,
  selectRecord,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { type Claim, findAskingHost } from './asking-host.ts'
import { loadBuildToken } from './build-token.ts'
import { endBuild } from './end-build.ts'
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
export interface NamedHost {
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
      return renderForHost(ctx, id, kind, await loadViewedOptions(ctx, hosts, id))
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
