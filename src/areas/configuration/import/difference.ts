import { printJson, readJson } from '../../../classification/json.ts'
import type { Value } from '../../../classification/values.ts'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { openKept, selectKept } from '../../../encryption/hidden-values.ts'
import { sql } from '../../../sql.ts'
import { computeFingerprint, type Delivered, type DeliveredParameter } from './delivered.ts'

/** A parameter of an environment with the default value that is delivered for it. */
export interface NewParameter extends DeliveredParameter {
  readonly class: string
}

/** A parameter that is stored already. */
export interface StoredParameter {
  readonly id: number
  readonly class: string
  readonly name: string
}

/** A parameter for which the environment delivers another default value. */
export interface ChangedParameter extends StoredParameter {
  readonly value: Value
  readonly sensitive: boolean
  /** Whether the stored default value changes: not if an operator manages it, or it is equal already. */
  readonly changes: boolean
}

/** A stored parameter that the environment no longer delivers. */
export interface ObsoleteParameter extends StoredParameter {
  /** Whether an operator manages or has overridden the parameter, which is then kept. */
  readonly isManaged: boolean
}

/** A stored class that the environment no longer delivers. */
export interface ObsoleteClass {
  readonly id: number
  readonly name: string
  /** Whether hosts, host groups or config groups have the class. */
  readonly isGiven: boolean
}

/** The changes that make an environment equal to what was delivered. */
export interface ImportDifference {
  readonly newClasses: readonly string[]
  readonly newParameters: readonly NewParameter[]
  readonly changedParameters: readonly ChangedParameter[]
  readonly obsoleteClasses: readonly ObsoleteClass[]
  /** Parameters of removed classes, and removed parameters of others. */
  readonly obsoleteParameters: readonly ObsoleteParameter[]
}

/**
 * Computes the difference between a stored environment (null: unknown) and what was delivered (smart-parameters §6.2).
 * Only values of this environment count, and of default values that environments share those from before the import:
 * `changedBefore` are the parameters that the import has changed already. So a dry run reports what a run does.
 */
export async function computeImportDifference(
  { db, encryption }: Pick<Context, 'db' | 'encryption'>,
  environmentId: number | null,
  { classes, unreadable }: Delivered,
  changedBefore: ReadonlySet<number>,
): Promise<ImportDifference> {
  const byName = new Map(classes.map((one) => [one.name, one]))
  const parameters = new Map(
    classes.flatMap((one) => one.parameters.map((parameter) => [`${one.name} ${parameter.name}`, parameter])),
  )
  if (environmentId === null) return addEverything(classes)
  const found = await rows<ComparisonRow>(db, buildComparison(environmentId, { classes, unreadable }))
  const open = (text: string | null) => openKept(encryption, 'smart_class_parameters', text)
  const newClasses = namesOf(found, 'new class')
  return {
    newClasses,
    newParameters: [
      ...newClasses.flatMap((name) => (byName.get(name)?.parameters ?? []).map((one) => ({ ...one, class: name }))),
      ...filterKind(found, 'new parameter').flatMap(({ class: name, parameter }) => {
        const one = parameters.get(`${name} ${parameter}`)
        return one ? [{ ...one, class: name }] : []
      }),
    ],
    changedParameters: filterKind(found, 'told').map((row) =>
      buildChange({ ...row, value: open(row.value) }, parameters, changedBefore),
    ),
    obsoleteClasses: filterKind(found, 'gone class').map(({ id, class: name, flag }) => ({ id, name, isGiven: flag })),
    obsoleteParameters: filterKind(found, 'gone parameter').map(({ id, class: name, parameter, flag }) => ({
      id,
      class: name,
      name: parameter,
      isManaged: flag,
    })),
  }
}

/** Whether a difference has nothing in it that would be stored. */
export function isEmptyDifference(found: ImportDifference): boolean {
  return Object.values(found).every((part: readonly unknown[]) => part.length === 0)
}

interface ComparisonRow {
  readonly kind: 'new class' | 'new parameter' | 'told' | 'gone class' | 'gone parameter'
  readonly id: number
  readonly class: string
  readonly parameter: string
  readonly flag: boolean
  /** `told`: the stored type and default value. */
  readonly type: string | null
  readonly value: string | null
}

function addEverything(classes: Delivered['classes']): ImportDifference {
  return {
    newClasses: classes.map(({ name }) => name),
    newParameters: classes.flatMap((one) => one.parameters.map((parameter) => ({ ...parameter, class: one.name }))),
    changedParameters: [],
    obsoleteClasses: [],
    obsoleteParameters: [],
  }
}

/** Builds the statement that compares the whole environment; it yields no rows without a difference. */
function buildComparison(environmentId: number, { classes, unreadable }: Delivered) {
  const parameters = classes.flatMap((one) => one.parameters.map((parameter) => ({ class: one.name, parameter })))
  return sql`
    with delivered_class as materialized (
      select name from unnest(${classes.map(({ name }) => name)}::text[]) as d (name)
    ), delivered as materialized (
      select class, parameter, hash from unnest(
        ${parameters.map((one) => one.class)}::text[],
        ${parameters.map(({ parameter }) => parameter.name)}::text[],
        ${parameters.map(({ parameter }) => computeFingerprint(parameter.value))}::text[]) as d (class, parameter, hash)
    ), stored_class as materialized (
      select c.id, c.name from configclass_environments l join configclasses c on c.id = l.configclass_id
      where l.environment_id = ${environmentId}
    ), stored as materialized (
      select p.id, c.name as class, p.parameter, l.delivered
      from class_parameter_environments l
      join smart_class_parameters p on p.id = l.smart_class_parameter_id
      join configclasses c on c.id = p.configclass_id
      where l.environment_id = ${environmentId}
    )
    select 'new class' as kind, 0 as id, name as class, '' as parameter, false as flag, null as type, null as value
      from delivered_class where name not in (select name from stored_class)
    union all
    select 'gone class', id, name, '', ${isAssigned('stored_class.id')}, null, null
      from stored_class where ${unreadable.length === 0} and name not in (select name from delivered_class)
    union all
    select 'new parameter', 0, d.class, d.parameter, false, null, null
      from delivered d join stored_class c on c.name = d.class
      where not exists (select from stored s where s.class = d.class and s.parameter = d.parameter)
    union all
    select 'gone parameter', s.id, s.class, s.parameter,
        p.override or exists (select from override_values o where o.smart_class_parameter_id = s.id), null, null
      from stored s join smart_class_parameters p on p.id = s.id
      where (${unreadable.length === 0} or s.class in (select name from delivered_class))
        and not exists (select from delivered d where d.class = s.class and d.parameter = s.parameter)
    union all
    select 'told', s.id, s.class, s.parameter, p.override, p.parameter_type, ${selectKept('smart_class_parameters', 'p')}
      from stored s join delivered d on d.class = s.class and d.parameter = s.parameter
      join smart_class_parameters p on p.id = s.id
      where s.delivered is distinct from d.hash
    order by 1, 3, 4`
}

/** Selects whether the class is assigned to hosts, host groups or config groups. */
export function isAssigned(id: string) {
  const tables = ['host_configclasses', 'hostgroup_configclasses', 'config_group_configclasses']
  return sql`(${sql.join(
    tables.map((table) => sql`exists (select from ${sql.table(table)} g where g.configclass_id = ${sql.ref(id)})`),
    sql` or `,
  )})`
}

function filterKind(found: readonly ComparisonRow[], wanted: ComparisonRow['kind']): readonly ComparisonRow[] {
  return found.filter((row) => row.kind === wanted)
}

function namesOf(found: readonly ComparisonRow[], wanted: ComparisonRow['kind']): readonly string[] {
  return filterKind(found, wanted).map((row) => row.class)
}

function buildChange(
  { id, class: name, parameter, flag: isManaged, type, value: stored }: ComparisonRow,
  parameters: ReadonlyMap<string, DeliveredParameter>,
  changedBefore: ReadonlySet<number>,
): ChangedParameter {
  const { value = null, sensitive = false } = parameters.get(`${name} ${parameter}`) ?? {}
  const isSame = !changedBefore.has(id) && isSameValue(value, stored === null ? null : readJson(stored), type)
  return { id, class: name, name: parameter, value, sensitive, changes: !isManaged && !isSame }
}

/** Whether a delivered value equals the stored one. Some proxies deliver the default `false` as text. */
function isSameValue(value: Value, stored: Value, type: string | null): boolean {
  if (type === 'boolean' && typeof stored === 'boolean' && value === String(stored)) return true
  return printJson(value) === printJson(stored)
}
