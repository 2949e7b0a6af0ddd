/** Finds the word closest to a mistyped one; null when none is close enough. */
export function findNearest(word: string, words: readonly string[]): string | null {
  let best: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const candidate of words) {
    const distance = countEdits(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least && distance <= Math.max(2, candidate.length / 3)) [best, least] = [candidate, distance]
  }
  return best
}

/** Computes Levenshtein's distance: how many characters to add, drop or change. Only the last row of the matrix is kept. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const kept = readColumn(row, column - 1) + (to[column - 1] === letter ? 0 : 1)
      next.push(Math.min(kept, readColumn(row, column) + 1, readColumn(next, column - 1) + 1))
    }
    row = next
  }
  return readColumn(row, to.length)
}

function readColumn(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
