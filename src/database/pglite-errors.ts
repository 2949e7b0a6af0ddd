/** Error numbers of WASI that a full, limited or broken disk causes, in the words of the system. */
const REASONS: Readonly<Record<number, string>> = {
  2: 'permission denied',
  19: 'disk quota exceeded',
  29: 'input/output error',
  51: 'no space left on device',
  69: 'read-only file system',
}

/** Converts what PGlite throws to an error with a message: those of its file system have a number only. */
export function toPgliteError(thrown: unknown): Error {
  if (thrown instanceof Error && thrown.message !== '') return thrown
  if (!(thrown instanceof Object && 'errno' in thrown)) return new Error(String(thrown))
  const errno = Number(thrown.errno)
  return new Error(REASONS[errno] ?? `error ${errno} of its file system`)
}
