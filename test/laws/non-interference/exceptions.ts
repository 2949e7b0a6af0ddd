/** Reads that may reveal another tenant, with the reason. One that no longer does has to be removed from this list. */
export interface Exception {
  /** Ids of routes, of both listeners. */
  readonly routes: RegExp
  /** Limits the exception to such addresses. */
  readonly url?: RegExp
  readonly reason: string
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    routes: /(^|\.)smart_class_parameters\.(list|show)$/,
    reason: 'the number of overrides is a total (docs/decisions/0018-matchers.md)',
  },
  {
    routes: /^session\.providers$/,
    reason: 'the login page offers every provider, because nobody is logged in yet',
  },
]

/** Writes that may affect another tenant, with the tables that they change. */
export const WRITES: readonly { readonly routes: RegExp; readonly table: string; readonly reason: string }[] = []

/** Reads whose answers contain durations and therefore always differ. */
export const CLOCKS = /(^|[._])(ping|server_status)$|^(ping|service|operations)\./
