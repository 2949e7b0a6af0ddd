/** What a report counts, in the order in which a status shows it. */
export const COUNTERS = ['applied', 'restarted', 'failed', 'failed_restarts', 'skipped', 'pending'] as const
