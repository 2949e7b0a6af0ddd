import { type Context, hasPermission } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { findResource, joinConditions, limitToVisible, type Registry, type Row } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { HostValue } from '../../../templates/index.ts'
import { admitReveal, recordReveals } from '../../access/index.ts'
import { loadEffectiveParameters, loadRevealable, loadVisibleParameters } from '../../parameters/index.ts'
import { HOST_COLUMNS, HOST_TABLES, type HostData, withPasswords } from '../rendering/host-data.ts'
import { createHostReader } from '../rendering/host-reader.ts'
import { maskHiddenParameters } from '../rendering/parameters.ts'
import { limitLinks } from './limit-links.ts'
import { createRecordReader } from './record-reader.ts'

/** What a template may read of records: what it never names is not loaded. */
export interface Needs {
  readonly facts: boolean
  readonly parameters: boolean
  /** Whether a key of records is needed. */
  readonly key: (key: string) => boolean
}

/** Tells from the text of a template what it may read; snippets may read everything. */
export function needsOf(source: string): Needs {
  if (/\bsnippet/.test(source)) return { facts: true, parameters: true, key: () => true }
  const isOfContent = /facet|checkin|registered|content|lifecycle/.test(source)
  const isOfStatus = /status/.test(source)
  return {
    key: (key) => {
      if (key.endsWith('_facet_attributes')) return isOfContent
      if (/_status(?:_label)?$/.test(key)) return isOfStatus
      const link = key.replace(/_(?:id|name|title|login|type)$/, '')
      return key === 'id' || key === 'name' || source.includes(link)
    },
    facts: /fact|\bram\b|cores|sockets|virtual|memory|kernel|uptime|info|enc\b/.test(source),
    parameters: /param|info|enc\b/.test(source),
  }
}

/** Loads readers for hosts: with their records, and with what templates of hosts read. Secrets are masked. */
export async function loadHostReaders(
  ctx: Context,
  registry: Registry,
  records: readonly Row[],
  needs: Needs,
): Promise<readonly HostValue[]> {
  const ids = records.map(({ id }) => Number(id))
  const found = await rows<Omit<HostData, 'facts' | 'parameters' | 'grub_pass'>>(
    ctx.db,
    sql`select ${HOST_COLUMNS}, h.last_report::text as last_report from ${HOST_TABLES} where h.id = any (${ids}::bigint[])`,
  )
  const limited = await limitLinks(ctx, registry, found)
  const hosts = new Map(limited.map((host) => [host.id, host]))
  const facts = needs.facts ? await loadFacts(ctx, registry, ids) : new Map()
  const parameters = needs.parameters ? await loadParameters(ctx, registry, ids) : null
  return records.flatMap((record): HostValue[] => {
    const id = Number(record.id)
    const host = hosts.get(id)
    if (!host) return []
    const own = { values: new Map(parameters?.(id).values) }
    const whole = { ...withPasswords(ctx.encryption, host), facts: facts.get(id) ?? {}, parameters: [] }
    const reader = createHostReader(whole, own, {
      secrets: false,
      diskLayout: ({ fail }) => fail('the disk layout is not offered here'),
    })
    return [createRecordReader('host', record, reader)]
  })
}

/** Loads the facts of those of the hosts whose facts the caller may view. */
async function loadFacts(ctx: Context, registry: Registry, ids: readonly number[]) {
  if (!hasPermission(ctx, 'view_facts')) return new Map()
  const seen = joinConditions(limitToVisible(ctx, findResource(registry, 'host'), 'view_facts'))
  const found = await rows<{ host_id: number; facts: Record<string, string | null> }>(
    ctx.db,
    sql`select v.host_id, json_object_agg(n.name, v.value order by n.name) as facts
      from fact_values v join fact_names n on n.id = v.fact_name_id
      where v.host_id in (select t.id from hosts t where t.id = any (${ids}::bigint[]) and ${seen}) group by v.host_id`,
  )
  return new Map(found.map(({ host_id, facts }) => [host_id, facts]))
}

async function loadParameters(ctx: Context, registry: Registry, ids: readonly number[]) {
  const all = await loadEffectiveParameters(ctx, ids)
  const flat = [...all.values()].flat()
  const seen = await loadVisibleParameters(
    ctx,
    registry,
    flat.map(({ id }) => id),
  )
  const revealable = await loadRevealable(
    ctx,
    registry,
    flat.filter(({ hidden_value }) => hidden_value).map(({ id }) => id),
  )
  const revealed = revealable.size > 0 && (await admitReveal(ctx, false)) ? revealable : new Set<number>()
  await recordReveals(ctx, findResource(registry, 'parameter'), [...revealed])
  return (host: number) =>
    maskHiddenParameters(
      (all.get(host) ?? []).filter(
        ({ id, associated_type }) => associated_type === 'global' || seen === null || seen.has(id),
      ),
      revealed,
    )
}
