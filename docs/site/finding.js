/**
 * Those in which all words of the text are, the best first: whose title is the text, then those with its words in their
 * titles, from the beginning of words, then those that say them most.
 */
export function rank(text, candidates) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const scored = candidates.flatMap((candidate) => {
    const score = scoreOf(candidate, words)
    return score > 0 ? [{ candidate, score }] : []
  })
  return scored.sort((a, b) => b.score - a.score).map(({ candidate }) => candidate)
}

function scoreOf({ title, text }, words) {
  const heading = title.toLowerCase()
  const body = text.toLowerCase()
  let score = heading === words.join(' ') ? 100 : 0
  for (const word of words) {
    const often = body.split(word).length - 1
    const inHeading = heading.includes(word)
    if (often === 0 && !inHeading) return 0
    const begins = inHeading && ` ${heading}`.includes(` ${word}`)
    score += (begins ? 20 : inHeading ? 10 : 0) + Math.min(often, 5)
  }
  return score
}
