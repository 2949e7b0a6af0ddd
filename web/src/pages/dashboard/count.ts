import { sendRequest } from '../../api/client.ts'

/** Counts the records of a list that match a search. */
export async function countOf(path: string, search: string, signal: AbortSignal): Promise<number> {
  const { body } = await sendRequest(path, { query: { search, per_page: 1 }, signal })
  return Number(body.subtotal)
}

/** Yields the address of a list with a search. */
export function listOf(plural: string, search: string): string {
  return `/${plural}?search=${encodeURIComponent(search)}`
}
