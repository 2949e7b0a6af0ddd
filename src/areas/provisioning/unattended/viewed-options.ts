import type { Context } from '../../../context.ts'
import { limitToVisible, type Resource, selectRecord } from '../../../kernel/index.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import { admitReveal, recordReveals } from '../../access/index.ts'
import { loadInvisibleFacts } from '../../inventory/index.ts'
import { loadRevealable, loadVisibleParameters } from '../../parameters/index.ts'
import type { HostData } from '../rendering/host-data.ts'
import type { HostWorldOptions } from '../rendering/world.ts'
import { loadBuildToken } from './build-token.ts'

/**
 * Loads what a user sees in templates of a host: parameters and facts with permission to view them, passwords and token with
 * `reveal_hosts`, and then hidden parameters that the user may reveal. Writes an audit if secrets are shown.
 * {@throws Failure} denied
 */
export async function loadViewedOptions(
  ctx: Context,
  hosts: Resource,
  host: number,
  isAsked: boolean,
): Promise<HostWorldOptions> {
  const revealed = await selectRecord(ctx.db, hosts, ['id'], host, limitToVisible(ctx, hosts, 'reveal_hosts'))
  const secrets = revealed !== undefined && (await admitReveal(ctx, isAsked))
  if (secrets) await recordReveals(ctx, hosts, [host])
  return loadOptions(ctx, hosts, host, secrets)
}

/** Loads what a user sees in templates of a host; nothing secret without `secrets`. */
export async function loadOptions(
  ctx: Context,
  hosts: Resource,
  host: number,
  secrets: boolean,
): Promise<HostWorldOptions> {
  const token = await loadBuildToken(ctx, host)
  return {
    secrets,
    token: token !== null && !secrets ? HIDDEN : token,
    unhide: (ids) => loadRevealable(ctx, hosts.registry, secrets ? ids : []),
    shown: (data) => present(ctx, hosts, data),
  }
}

/** The host with masks in place of parameters and facts that the caller may not view. */
async function present(ctx: Context, { registry }: Resource, host: HostData): Promise<HostData> {
  const seen = await loadVisibleParameters(
    ctx,
    registry,
    host.parameters.map(({ id }) => id),
  )
  const unseen = await loadInvisibleFacts(ctx, registry, host.id, Object.keys(host.facts))
  const facts = Object.entries(host.facts).map(([name, value]) => [name, unseen.has(name) ? HIDDEN : value])
  const parameters = host.parameters.map((each) =>
    seen === null || seen.has(each.id) ? each : { ...each, hidden_value: true },
  )
  return { ...host, facts: Object.fromEntries(facts), parameters }
}
