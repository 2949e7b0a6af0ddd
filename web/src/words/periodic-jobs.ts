import type { Word } from './words.ts'

/** The periodic jobs of the service, and the words for them. */
export const PERIODIC_JOBS: Readonly<Record<string, Word>> = {
  backup: 'periodic.backup',
  delete_idle_sessions: 'periodic.delete_idle_sessions',
  delete_old_audits: 'periodic.delete_old_audits',
  delete_old_config_reports: 'periodic.delete_old_config_reports',
  delete_old_config_runs: 'periodic.delete_old_config_runs',
  delete_old_events: 'periodic.delete_old_events',
  delete_old_logins: 'periodic.delete_old_logins',
  delete_old_report_jobs: 'periodic.delete_old_report_jobs',
  delete_old_tasks: 'periodic.delete_old_tasks',
  encrypt_hidden_values: 'periodic.encrypt_hidden_values',
  forget_old_registrations: 'periodic.forget_old_registrations',
  refresh_directories: 'periodic.refresh_directories',
}
