import { rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { type StatusKind, selectFromView } from './status-kind.ts'

/** The status of a host's configuration: the result of its newest report, and whether the next is overdue. */
export const configurationStatus: StatusKind = {
  type: 'configuration',
  doc: 'Counts of its newest report, encoded in one number; 0 without a report.',
  ...selectFromView('configuration_states'),
  tables: ['configuration_statuses', 'settings'],
  clear: async (tx, _hosts, id) => {
    await rows(tx.db, sql`delete from configuration_statuses where host_id = ${id}`)
  },
}
