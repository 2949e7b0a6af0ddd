/** Formats a command for a shell, with `flags` before any word that looks like one. */
export function formatCommand(words: readonly string[], flags: readonly string[] = []): string {
  const first = words.findIndex((word) => word.startsWith('-'))
  const all = first < 0 ? [...words, ...flags] : [...words.slice(0, first), ...flags, '--', ...words.slice(first)]
  return all.map(quoteWord).join(' ')
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
