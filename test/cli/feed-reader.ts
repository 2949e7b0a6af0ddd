import { expect } from 'vitest'

/** A reader of the feed of events, which keeps its position from service to service. */
export interface FeedReader {
  /** Makes a change. */
  readonly write: (address: string, name: string) => Promise<void>
  /** Reads so many events, once they have numbers, and yields the names of the records in them. */
  readonly read: (address: string, count: number) => Promise<string[]>
}

/** Opens a reader at the end of the feed, as a user. */
export async function openFeedReader(first: string, authorization: string): Promise<FeedReader> {
  const headers = { authorization, 'content-type': 'application/json' }
  const ask = async (address: string, query: string) => {
    const answer = await fetch(`${address}/api/events?${query}`, { headers })
    expect(answer.status).toBe(200)
    return (await answer.json()) as {
      readonly results: readonly { readonly sequence: string; readonly data: { readonly record: { name: string } } }[]
      readonly last: number
    } // a page of the feed
  }
  let { last: position } = await ask(first, 'after=last')
  return {
    async write(address, name) {
      const body = JSON.stringify({ architecture: { name } })
      expect((await fetch(`${address}/api/architectures`, { method: 'POST', headers, body })).status).toBe(201)
    },
    async read(address, count) {
      const query = `after=${position}&resource=architecture&limit=${count}`
      await expect.poll(async () => (await ask(address, query)).results.length).toBe(count)
      const { results, last } = await ask(address, query)
      expect(Number(results.at(-1)?.sequence)).toBe(last)
      position = last
      return results.map(({ data }) => data.record.name)
    },
  }
}
