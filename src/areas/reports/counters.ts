/** The counters of a report, in the order in which a status shows them. */
export const COUNTERS = ['applied', 'restarted', 'failed', 'failed_restarts', 'skipped', 'pending'] as const
