import { request } from '../../api/client.ts'

/** How many records of a list a search finds. */
export async function countOf(path: string, search: string, signal: AbortSignal): Promise<number> {
  const { body } = await request(path, { query: { search, per_page: 1 }, signal })
  return Number(body.subtotal)
}

/** The list of the console with a search. */
export function listOf(plural: string, search: string): string {
  return `/${plural}?search=${encodeURIComponent(search)}`
}
