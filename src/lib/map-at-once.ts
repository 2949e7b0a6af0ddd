/** Does work for each item, for at most so many at once, in order, and yields the results in order. */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Awaited<Result>>(items.length)
  const left = items.entries()
  const runWorker = async () => {
    for (const [at, item] of left) results[at] = await work(item, at)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, runWorker))
  return results
}
