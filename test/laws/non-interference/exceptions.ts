/** Reads that may tell of another tenant, and why. One that no longer does has to leave this list. */
export interface Exception {
  /** Ids of routes, of both listeners. */
  readonly routes: RegExp
  /** What of the address makes the difference; default: whatever it is. */
  readonly url?: RegExp
  readonly reason: string
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    routes: /(^|\.)smart_class_parameters\.(list|show)$/,
    reason: 'the number of overrides is a total (docs/decisions/0018-matchers.md)',
  },
]

/** Writes that may reach another tenant, and the tables of what they change. */
export const WRITES: readonly { readonly routes: RegExp; readonly table: string; readonly reason: string }[] = []

/** Reads that say how long something took, so that no two answers need be the same. */
export const CLOCKS = /(^|[._])(ping|server_status)$|^(ping|service|operations)\./
