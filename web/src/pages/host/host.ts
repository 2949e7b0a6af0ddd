import { api } from '../../api/client.ts'
import type { components } from '../../generated/api.d.ts'

/** A host as the API shows it. */
export type Host = NonNullable<Awaited<ReturnType<typeof loadHost>>>
export type Hostgroup = components['schemas']['Hostgroup']

/** Loads a host by name or id. */
export async function loadHost(id: string, signal: AbortSignal) {
  return (await api.GET('/api/hosts/{id}', { params: { path: { id } }, signal })).data
}

/** Escapes a text for a quoted value in a search. */
export function quoteValue(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
