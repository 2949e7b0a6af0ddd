import type { Context } from '../../../context.ts'
import { badParameter } from '../../../errors.ts'
import type { Condition } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { readTruth } from '../shared/filtered.ts'
import * as available from './available.ts'

/** Leaves the pools that the key has, or with `available_for` those that it could take. {@throws Failure} bad_parameter */
export function limitToKey({ query }: Input, key: number): Condition[] {
  const wanted = readSingle(query, 'available_for')
  if (wanted === null || wanted === '') return [available.limitToPoolsOfKey(key)]
  if (wanted === 'activation_key') return [available.limitToAvailableForKey(key)]
  throw badParameter('available_for', wanted, "must be 'activation_key' beside activation_key_id")
}

/** Leaves the pools that the host has, or with `available_for` those that it could take. {@throws Failure} bad_parameter */
export function limitToHost(ctx: Context, { query }: Input, host: number): Condition[] {
  const wanted = readSingle(query, 'available_for')
  if (wanted === null || wanted === '') return [available.limitToPoolsOfHost(host)]
  if (wanted !== 'host') throw badParameter('available_for', wanted, "must be 'host' beside host_id")
  const readFlag = (name: string) => readTruth(name, readSingle(query, name) || 'false')
  return [
    available.limitToAvailableForHost(host, ctx.now()),
    ...(readFlag('match_host') ? [available.limitToMatchingHost(host)] : []),
    ...(readFlag('match_installed') ? [available.limitToMatchingInstalled(host)] : []),
    ...(readFlag('no_overlap') ? [available.limitToNonOverlapping(host)] : []),
  ]
}

/** Leaves the subscriptions with exactly the name in the query. */
export function limitToName({ query }: Input): Condition[] {
  const name = readSingle(query, 'name')
  return name === null ? [] : [{ sql: sql`t.name = ${name}`, tables: [] }]
}
