import { z } from 'zod'
import { type Context, hasPermission } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, Failure } from '../../../errors.ts'
import { limitToVisible, notVisible, permissionOf, type Resource, selectRecord } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { transportOf } from '../../proxies/index.ts'
import type { ClassSource } from './source.ts'
import { createProxySource, proxyKeyOf } from './sources/proxy.ts'
import { createServerSource, serverUrlOf } from './sources/server.ts'

const NO_SOURCE = 'No proxy found to import classes from, ensure that the smart proxy has the Config feature enabled.'

/**
 * Finds the source of classes that a smart proxy offers. {@throws Failure} not_found for an invisible proxy,
 * no_import_source for one without classes
 */
export async function findSource(
  ctx: Context,
  proxies: Resource,
  segment: string,
  wanted: unknown,
): Promise<ClassSource> {
  const permission = permissionOf(proxies, 'view')
  const seen = hasPermission(ctx, permission)
    ? limitToVisible(ctx, proxies, permission)
    : [{ sql: sql`false`, tables: [] }]
  const found = await selectRecord(ctx.db, proxies, ['id', 'url'], segment, seen)
  if (!found) throw notVisible(ctx, proxies, permission, segment)
  const { id, url } = z.object({ id: z.int(), url: z.string() }).parse(found)
  const feature = await row<{ settings: Readonly<Record<string, unknown>> | null }>(
    ctx.db,
    sql`select l.settings from smart_proxy_features l join features f on f.id = l.feature_id
      where l.smart_proxy_id = ${id} and f.name = 'Config'`,
  )
  if (!feature) throw new Failure('no_import_source', NO_SOURCE)
  const reach = transportOf(ctx)
  if (wanted === undefined || wanted === null || wanted === '' || wanted === 'proxy')
    return createProxySource(id, { ...reach, url })
  if (wanted !== 'server') throw badParameter('source', wanted, 'must be proxy or server')
  const server = serverUrlOf(feature.settings ?? {})
  if (server === null)
    throw badParameter('source', wanted, 'the smart proxy does not tell the URL of its server; refresh its features')
  return createServerSource({ key: proxyKeyOf(id), smartProxyId: id }, { ...reach, url: server })
}

/** Resolves the name of an environment from its id or name; an unknown name stays, because the source may know it. */
export async function findName(ctx: Context, environments: Resource, segment: string): Promise<string> {
  const found = await selectRecord(ctx.db, environments, ['name'], segment, [])
  return found ? String(found.name) : segment
}
