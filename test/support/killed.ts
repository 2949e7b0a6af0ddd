/** An administrator with a password. */
export interface Writer {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Writes on four connections, and calls `kill` once `most` writes have been acknowledged. Yields the names of all
 * acknowledged records, which must never be lost.
 */
export async function writeUntilKilled(
  { address, headers }: Writer,
  name: string,
  most: number,
  kill: () => void,
): Promise<string[]> {
  const acknowledged: string[] = []
  const write = async (hand: number) => {
    for (let at = 0; ; at++) {
      const written = `${name}-${hand}-${at}`
      const answer = await fetch(`${address}/api/architectures`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: written }),
      })
      if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`)
      if (acknowledged.push(written) === most) kill()
    }
  }
  const ends = await Promise.allSettled([1, 2, 3, 4].map(write))
  // A connection that breaks has no answer; any answer would be a refusal.
  const refusals = ends.flatMap((end) =>
    end.status === 'rejected' && !(end.reason instanceof TypeError) ? [end.reason] : [],
  )
  if (refusals.length > 0) throw refusals[0]
  return acknowledged
}

/** Lists the names that are missing. */
export async function listLost({ address, headers }: Writer, acknowledged: readonly string[]): Promise<string[]> {
  const answer = await fetch(`${address}/api/architectures?per_page=all`, { headers })
  const { results } = (await answer.json()) as { results: readonly { name: string }[] } // a list
  const names = new Set(results.map(({ name }) => name))
  return acknowledged.filter((name) => !names.has(name))
}
