import type { Word } from './words.ts'

/** The states of hosts as the service calls them, and the words for them. */
export const STATES: Readonly<Record<string, Word>> = {
  OK: 'dashboard.ok',
  Warning: 'dashboard.warning',
  Error: 'dashboard.error',
  'Alerts disabled': 'state.disabled',
  'No reports': 'state.silent',
  'Out of sync': 'state.late',
  Active: 'state.active',
  Pending: 'state.pending',
  'No changes': 'state.unchanged',
  Installed: 'state.installed',
  'Pending installation': 'state.waiting',
  'Token expired': 'state.expired',
  'Installation error': 'state.uninstalled',
  'Simple content access': 'state.simple',
  'Fully entitled': 'state.entitled',
  Unentitled: 'state.unentitled',
}
