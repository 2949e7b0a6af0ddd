/** Stands in answers for a value that the caller may not see. */
export const HIDDEN = '*****'

/** Stands for a stored password: neither the password nor its hash is shown (docs/contract.md). */
export const PASSWORD = '********'

/** Tells whether a client sends back what stands for a value: that is no new value. */
export function isMask(sent: unknown): boolean {
  return sent === HIDDEN || sent === PASSWORD
}
