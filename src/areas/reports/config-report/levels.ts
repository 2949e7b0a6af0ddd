/** The levels of log lines as agents name them; stored as the position in this list. */
export const LEVELS = ['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit'] as const
