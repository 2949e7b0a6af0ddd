export { configReports } from './config-report/config-report.ts'
export { expressionsOf, GLOBAL, type StatusKind } from './host/status-kind.ts'
export { buildHostStatuses } from './host/statuses.ts'
export { deleteOldReports } from './old-reports.ts'
