/** How grave a line of a log is, as agents say it; stored by its place in this list. */
export const LEVELS = ['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit'] as const
