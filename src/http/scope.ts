import { limitToOwnTaxonomies } from '../areas/places/index.ts'
import type { Context, Scope } from '../context.ts'
import { contextNotFound } from '../errors.ts'
import { type Registry, ROOT, type Sent, selectRecord, TAXONOMIES, type Taxonomy } from '../kernel/index.ts'
import { readSingle } from '../requests/sent.ts'

/** Organization and location of a request for the headers of its answer: id and title, `4; Berlin`; null for any. */
export type ScopeNames = Readonly<Record<Taxonomy['kind'], string | null>>

/**
 * Resolves the organization and location of a request (core-api §5.2): those `named` in its path, query or body, otherwise
 * those of the session. An empty name means any. {@throws Failure} context_not_found for a named one that does not exist or
 * that the caller does not belong to
 */
export async function resolveScope(
  ctx: Omit<Context, 'scope'>,
  registry: Registry,
  named: Sent,
  session: Omit<Scope, 'named'> | null,
): Promise<{ scope: Scope; names: ScopeNames }> {
  const scope = { organization: session?.organization ?? null, location: session?.location ?? null, named: false }
  const names: Record<Taxonomy['kind'], string | null> = { organization: null, location: null }
  for (const taxonomy of TAXONOMIES) {
    const { kind } = taxonomy
    const sent = readSingle(named, `${kind}_id`)
    if (sent === '') scope[kind] = null
    const segment = sent === null || sent === '' ? scope[kind] : sent
    if (segment === null) continue
    const found = await find(ctx, registry, taxonomy, String(segment))
    if (!found && sent) throw contextNotFound(kind, sent)
    scope[kind] = found?.id ?? null
    if (sent && readSingle(named, 'referable') !== 'true') scope.named = true
    names[kind] = found ? `${found.id}; ${found.title}` : null
  }
  return { scope, names }
}

async function find(ctx: Omit<Context, 'scope'>, registry: Registry, taxonomy: Taxonomy, segment: string) {
  const resource = registry.get(taxonomy.kind)
  if (!resource) return undefined
  const outside: Context = { ...ctx, scope: { organization: null, location: null, named: false } }
  const theirs = { sql: limitToOwnTaxonomies(outside, taxonomy, ROOT), tables: [taxonomy.plural] }
  const found = await selectRecord(ctx.db, resource, ['id', 'title'], segment, [theirs])
  return found as { id: number; title: string } | undefined
}
