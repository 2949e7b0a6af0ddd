import { type Db, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { type ImportCause, recordImportAudits } from './audits.ts'
import { isAssigned } from './difference.ts'

/**
 * Deletes parameters, and classes without parameters, that no environment has after imports (smart-parameters §6.2).
 * Without `force` it keeps what operators have set: managed and overridden parameters, and assigned classes. It is
 * called at the end of an import, so that a class that moves to another environment stays the same record; leftovers of
 * an interrupted import are deleted by the next one.
 */
export async function deleteLeftovers(
  tx: Db,
  cause: ImportCause,
  { force }: { readonly force: boolean },
): Promise<void> {
  const managed = sql`p.override or exists (select from override_values o where o.smart_class_parameter_id = p.id)`
  const parameters = await rows<{ id: number; name: string; class_id: number }>(
    tx,
    sql`delete from smart_class_parameters p
      where p.configclass_id in (select configclass_id from leftover_classes)
        and not exists (select from class_parameter_environments l where l.smart_class_parameter_id = p.id)
        and (${force} or not (${managed}))
      returning p.id, p.parameter as name, p.configclass_id as class_id`,
  )
  await recordImportAudits(
    tx,
    cause,
    'destroy',
    'SmartClassParameter',
    parameters.map(({ id, name, class_id }) => ({ id, name, changes: { parameter: name, configclass_id: class_id } })),
  )
  const classes = await rows<{ id: number; name: string }>(
    tx,
    sql`delete from configclasses c
      where c.id in (select configclass_id from leftover_classes)
        and not exists (select from configclass_environments l where l.configclass_id = c.id)
        and not exists (select from smart_class_parameters p where p.configclass_id = c.id)
        and not ${isAssigned('c.id')}
      returning c.id, c.name`,
  )
  await recordImportAudits(
    tx,
    cause,
    'destroy',
    'Configclass',
    classes.map(({ id, name }) => ({ id, name, changes: { name } })),
  )
  await sql`delete from leftover_classes`.execute(tx)
}
