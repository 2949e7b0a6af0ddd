import { expect } from 'vitest'

/** Those of the administrator. */
export const HEADERS = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }

/** Clients that write, one after the other, through two processes of one service. */
export interface Writers {
  /** The names of what was written and acknowledged. */
  readonly acknowledged: readonly string[]
  /** The statuses of what was refused, with the seconds after which to come again. */
  readonly refused: ReadonlySet<string>
  /** Ends them, and expects each answer to have been right, and all that was acknowledged to be there. */
  stop(): Promise<void>
}

/** Starts four clients; what one process acknowledges is asked of the other at once. */
export function startWriting(one: string, other: string): Writers {
  const acknowledged: string[] = []
  const unseen: string[] = []
  const refused = new Set<string>()
  let isOver = false
  const writing = Promise.all([1, 2, 3, 4].map(write))
  return {
    acknowledged,
    refused,
    async stop() {
      isOver = true
      await writing
      expect([...refused]).toEqual(['503 2'])
      expect(unseen).toEqual([])
      const found = await fetch(`${one}/api/architectures?per_page=all`, { headers: HEADERS })
      const { results } = (await found.json()) as { results: { name: string }[] } // a list
      const names = new Set(results.map(({ name }) => name))
      expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
    },
  }

  async function write(lane: number): Promise<void> {
    const [writes, reads] = lane % 2 ? [one, other] : [other, one]
    for (let at = 0; !isOver; at++) {
      const name = `written-${lane}-${at}`
      const answer = await post(writes, '/api/architectures', { name })
      if (answer.status === 201) {
        acknowledged.push(name)
        const seen = await fetch(`${reads}/api/architectures/${name}`, { headers: HEADERS })
        if (seen.status !== 200 && seen.status !== 503) unseen.push(`${name} ${seen.status}`)
      } else refused.add(`${answer.status} ${answer.headers.get('retry-after')}`)
    }
  }
}

/** Sends a body as the administrator. */
export function post(address: string, path: string, body: object): Promise<Response> {
  return fetch(`${address}${path}`, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) })
}
