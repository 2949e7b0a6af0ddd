import { printJson } from '../../../classification/json.ts'
import type { Value } from '../../../classification/values.ts'
import type { Context } from '../../../context.ts'
import { type Db, rows } from '../../../database/sql.ts'
import { selectInOrder } from '../../../database/stored-order.ts'
import { sealValue } from '../../../encryption/hidden-values.ts'
import { parseExact, printExact, printIfReordered } from '../../../lib/lossless-json.ts'
import { sql } from '../../../sql.ts'
import { type ImportAuditEntry, type ImportCause, REDACTED, recordImportAudits } from './audits.ts'
import { computeFingerprint, typeOfValue } from './delivered.ts'
import type { ChangedParameter, ImportDifference, NewParameter } from './difference.ts'

/**
 * Stores the difference of an environment in its transaction, with audits. Records that no environment has any more are
 * deleted at the end of the import.
 */
export async function applyDifference(
  tx: Db,
  cause: Author,
  environmentId: number,
  found: ImportDifference,
  { force }: { readonly force: boolean },
): Promise<void> {
  await addClasses(tx, cause, environmentId, found.newClasses)
  await addParameters(tx, cause, environmentId, found.newParameters)
  await storeDefaults(tx, cause, environmentId, found.changedParameters)
  await removeParameters(tx, environmentId, found)
  await removeClasses(tx, cause, environmentId, found, force)
}

async function addClasses(tx: Db, cause: ImportCause, environmentId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const made = await rows<{ id: number; name: string }>(
    tx,
    sql`insert into configclasses (name) select name from unnest(${names}::text[]) as d (name) order by name
      on conflict (name) do nothing returning id, name`,
  )
  await recordImportAudits(
    tx,
    cause,
    'create',
    'Configclass',
    made.map(({ id, name }) => ({ id, name, changes: { name, environment_ids: [environmentId] } })),
  )
  const isNew = new Set(made.map(({ id }) => id))
  const linked = await changeEnvironments(
    tx,
    names,
    sql`
    insert into configclass_environments (configclass_id, environment_id)
    select id, ${environmentId}::bigint from configclasses where name = any (${names}::text[])
    on conflict do nothing`,
  )
  await recordImportAudits(
    tx,
    cause,
    'update',
    'Configclass',
    linked.filter(({ id }) => !isNew.has(id)),
  )
}

/** Changes the environments of classes, and yields old and new environments as audits show them. */
async function changeEnvironments(
  tx: Db,
  names: readonly string[],
  change: ReturnType<typeof sql>,
): Promise<ImportAuditEntry[]> {
  const loadEnvironments = () =>
    rows<{ id: number; name: string; ids: number[] }>(
      tx,
      sql`select c.id, c.name, array(
          select environment_id from configclass_environments l where l.configclass_id = c.id order by 1) as ids
        from configclasses c where c.name = any (${names}::text[])`,
    )
  const before = new Map((await loadEnvironments()).map(({ id, ids }) => [id, ids]))
  await change.execute(tx)
  return (await loadEnvironments()).map(({ id, name, ids }) => ({
    id,
    name,
    changes: { environment_ids: [before.get(id) ?? [], ids] },
  }))
}

/** Who imports, with the keys to encrypt hidden values. */
type Author = ImportCause & Pick<Context, 'encryption'>

/** Adds parameters to the environment; those that the class has from another environment stay as they are. */
async function addParameters(
  tx: Db,
  cause: Author,
  environmentId: number,
  parameters: readonly NewParameter[],
): Promise<void> {
  if (parameters.length === 0) return
  const wanted = sql`jsonb_to_recordset(${printExact(parameters.map((one) => columnsOf(cause, one)))}::jsonb)
    as w (class text, parameter text, value jsonb, ordered text, type text, hidden boolean, hash text)`
  const added = await rows<{ id: number }>(
    tx,
    sql`insert into smart_class_parameters (configclass_id, parameter, default_value, parameter_type, hidden_value)
      select c.id, w.parameter, nullif(w.value, 'null'), w.type, w.hidden
      from ${wanted} join configclasses c on c.name = w.class order by c.name, w.parameter
      on conflict (configclass_id, parameter) do nothing
      returning id`,
  )
  const ids = added.map(({ id }) => id)
  await sql`insert into smart_class_parameters_order (id, ordered)
    select p.id, w.ordered from ${wanted} join configclasses c on c.name = w.class
    join smart_class_parameters p on p.configclass_id = c.id and p.parameter = w.parameter
    where p.id = any (${ids}::bigint[]) and w.ordered is not null`.execute(tx)
  const made = await rows<{ id: number; name: string; class_id: number; type: string | null; value: unknown }>(
    tx,
    sql`select p.id, p.parameter as name, p.configclass_id as class_id, p.parameter_type as type,
        case when p.hidden_value then ${JSON.stringify(REDACTED)}::json else ${selectInOrder('smart_class_parameters', 'p')} end as value
      from smart_class_parameters p where p.id = any (${ids}::bigint[]) order by p.id`,
  )
  const entries = made.map(({ id, name, class_id, type, value }) => ({
    id,
    name,
    changes: {
      parameter: name,
      configclass_id: class_id,
      environment_ids: [environmentId],
      parameter_type: type,
      default_value: value,
      override: false,
    },
  }))
  await recordImportAudits(tx, cause, 'create', 'SmartClassParameter', entries)
  await sql`
    insert into class_parameter_environments (smart_class_parameter_id, environment_id, delivered)
    select p.id, ${environmentId}::bigint, w.hash
    from ${wanted} join configclasses c on c.name = w.class
    join smart_class_parameters p on p.configclass_id = c.id and p.parameter = w.parameter
    on conflict (smart_class_parameter_id, environment_id) do update set delivered = excluded.delivered`.execute(tx)
}

function columnsOf({ encryption }: Author, { class: name, name: parameter, value, sensitive }: NewParameter) {
  return {
    class: name,
    parameter,
    ...toColumns(encryption, value, sensitive),
    type: typeOfValue(value),
    hidden: sensitive,
    hash: computeFingerprint(value),
  }
}

/** Stores the defaults that the environment delivers, and updates default values from them (smart-parameters §6.2). */
async function storeDefaults(
  tx: Db,
  cause: Author,
  environmentId: number,
  told: readonly ChangedParameter[],
): Promise<void> {
  if (told.length === 0) return
  await sql`
    update class_parameter_environments l set delivered = d.hash
    from unnest(${told.map(({ id }) => id)}::bigint[], ${told.map(({ value }) => computeFingerprint(value))}::text[]) as d (id, hash)
    where l.smart_class_parameter_id = d.id and l.environment_id = ${environmentId}`.execute(tx)
  const changing = told.filter(({ changes }) => changes)
  if (changing.length === 0) return
  const before = await rows<{ id: number; value: unknown; hidden: boolean }>(
    tx,
    sql`select p.id, ${selectInOrder('smart_class_parameters', 'p')} as value, p.hidden_value as hidden from smart_class_parameters p
      where p.id = any (${changing.map(({ id }) => id)}::bigint[]) order by p.id for no key update of p`,
  )
  const hidden = new Set(before.filter((one) => one.hidden).map(({ id }) => id))
  const values = changing.map(({ id, value, sensitive }) => ({
    id,
    ...toColumns(cause.encryption, value, sensitive || hidden.has(id)),
    hidden: sensitive,
  }))
  const wanted = sql`jsonb_to_recordset(${printExact(values)}::jsonb) as w (id bigint, value jsonb, ordered text, hidden boolean)`
  await sql`delete from smart_class_parameters_order where id in (select w.id from ${wanted})`.execute(tx)
  await sql`insert into smart_class_parameters_order (id, ordered)
    select w.id, w.ordered from ${wanted} where w.ordered is not null`.execute(tx)
  const changed = await rows<Changed>(
    tx,
    sql`update smart_class_parameters p
      set default_value = nullif(w.value, 'null'), hidden_value = p.hidden_value or w.hidden,
        parameter_type = null, validator_type = null, updated_at = now()
      from ${wanted} join smart_class_parameters before on before.id = w.id
      where p.id = w.id and not p.override
      returning p.id, p.parameter as name, p.hidden_value as hidden, before.hidden_value as was_hidden, before.parameter_type as type,
        before.validator_type as validator, ${selectInOrder('smart_class_parameters', 'p')} as after`,
  )
  const valuesBefore = new Map(before.map(({ id, value }) => [id, value]))
  const entries = changed.map((one) => changeOf(one, valuesBefore.get(one.id) ?? null))
  await recordImportAudits(tx, cause, 'update', 'SmartClassParameter', entries)
}

interface Changed {
  readonly id: number
  readonly name: string
  readonly hidden: boolean
  readonly was_hidden: boolean
  readonly type: string | null
  readonly validator: string | null
  readonly after: unknown
}

function changeOf(
  { id, name, hidden, was_hidden, type, validator, after }: Changed,
  before: unknown,
): ImportAuditEntry {
  return {
    id,
    name,
    changes: {
      default_value: hidden ? [REDACTED, REDACTED] : [before, after],
      ...(hidden !== was_hidden && { hidden_value: [was_hidden, hidden] }),
      ...(type !== null && { parameter_type: [type, null] }),
      ...(validator !== null && { validator_type: [validator, null] }),
    },
  }
}

async function removeParameters(
  tx: Db,
  environmentId: number,
  { obsoleteParameters: goneParameters }: ImportDifference,
): Promise<void> {
  if (goneParameters.length === 0) return
  const ids = goneParameters.map(({ id }) => id)
  await sql`delete from class_parameter_environments
    where environment_id = ${environmentId} and smart_class_parameter_id = any (${ids}::bigint[])`.execute(tx)
  await sql`insert into leftover_classes (configclass_id)
    select distinct configclass_id from smart_class_parameters where id = any (${ids}::bigint[])
    on conflict do nothing`.execute(tx)
}

/**
 * Removes classes from the environment. Assignments to hosts stay without `force`: they have no effect while the
 * environment lacks the class.
 */
async function removeClasses(
  tx: Db,
  cause: ImportCause,
  environmentId: number,
  { obsoleteClasses: goneClasses }: ImportDifference,
  force: boolean,
): Promise<void> {
  if (goneClasses.length === 0) return
  const ids = goneClasses.map(({ id }) => id)
  const names = goneClasses.map(({ name }) => name)
  const left = await changeEnvironments(
    tx,
    names,
    sql`
    delete from configclass_environments
    where environment_id = ${environmentId} and configclass_id = any (${ids}::bigint[])`,
  )
  await recordImportAudits(tx, cause, 'update', 'Configclass', left)
  await sql`insert into leftover_classes (configclass_id) select unnest(${ids}::bigint[]) on conflict do nothing`.execute(
    tx,
  )
  if (force) await takeFromHosts(tx, cause, environmentId, ids)
}

/** Takes classes from the hosts of the environment that have them themselves. */
async function takeFromHosts(tx: Db, cause: ImportCause, environmentId: number, ids: readonly number[]): Promise<void> {
  // What the statement itself deletes is still there for the rest of it.
  const taken = await rows<{ id: number; name: string; had: number[] }>(
    tx,
    sql`with taken as (
        delete from host_configclasses g using hosts h
        where h.id = g.host_id and h.environment_id = ${environmentId} and g.configclass_id = any (${ids}::bigint[])
        returning h.id
      )
      select h.id, h.name, array(select configclass_id from host_configclasses l where l.host_id = h.id order by 1) as had
      from hosts h where h.id in (select id from taken)`,
  )
  const gone = new Set(ids)
  const entries = taken.map(({ id, name, had }) => {
    const left = had.filter((one) => !gone.has(one))
    return { id, name, changes: { configclass_ids: [had, left] } }
  })
  await recordImportAudits(tx, cause, 'update', 'Host', entries)
}

/**
 * A value as data for `printExact`, with exact numbers, encrypted if it is hidden, and its text where `jsonb` would change the
 * order of keys.
 */
function toColumns(encryption: Author['encryption'], value: Value, isHidden: boolean) {
  const exact = parseExact(printJson(value))
  const stored = isHidden ? sealValue(encryption, 'smart_class_parameters', exact) : exact
  return { value: stored, ordered: printIfReordered(stored) }
}
