import { attributesOf, NOBODY } from '../../../classification/attributes.ts'
import { isTemplate, TYPES } from '../../../classification/cast.ts'
import { readJson } from '../../../classification/json.ts'
import { parseOrder } from '../../../classification/matchers.ts'
import type { Matcher, Parameter } from '../../../classification/parameter.ts'
import { type Compiled, compile } from '../../../classification/resolve.ts'
import { isMap, type Value } from '../../../classification/values.ts'
import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { findReference, openKept, selectKept } from '../../../encryption/hidden-values.ts'
import { loadSettings, type Settings } from '../../../settings/settings.ts'
import { sql } from '../../../sql.ts'
import { readVersion } from '../../../version.ts'
import { CONFIG_SERVER_ATTRIBUTE } from '../../../words/protocols.ts'
import { computeDigest } from './digest.ts'

/** The parts of a context that classification needs. */
export type NodeContext = Pick<Context, 'db' | 'encryption'>

/** The data of all classifications at one version of `CATALOG_TABLES`. Immutable. */
export interface Catalog {
  readonly version: number
  /** The version of the program. */
  readonly program: string
  readonly settings: Settings
  readonly classNames: ReadonlyMap<number, string>
  /** Names in orders that are no attributes of hosts, and so parameters or facts. */
  readonly factNames: readonly string[]
  /** The values that are references to secrets, by `nameDefault` and `nameOverride`. */
  readonly references: ReadonlySet<string>
  /** Whether some template reads facts, so that all facts of a host are needed. */
  readonly readsFacts: boolean
  /** The managed parameters of an environment; compiled on first use. */
  readonly environment: (id: number) => EnvironmentCatalog
}

/** The managed parameters of one environment. */
export interface EnvironmentCatalog {
  readonly compiled: Compiled
  readonly classes: ReadonlyMap<number, ClassCatalog>
}

/** The data of one class for ETags of documents and for loading hosts. */
export interface ClassCatalog {
  /** Differs when parameters or default values differ. */
  readonly digest: string
  /** Digests of matchers' values, by match text. */
  readonly matchers: ReadonlyMap<string, string>
  readonly templates: TemplateNeeds
}

/** The needs of templates: whether any exist, and whether they need facts and the time of the last report. */
export interface TemplateNeeds {
  readonly any: boolean
  readonly facts: boolean
  readonly lastReport: boolean
}

/** The tables that a catalogue is made from. */
export const CATALOG_TABLES = [
  'configclasses',
  'smart_class_parameters',
  'class_parameter_environments',
  'override_values',
  'settings',
] as const

/** The version of the tables in `CATALOG_TABLES`, as a scalar subselect for every statement that loads hosts to be classified. */
export const CATALOG_VERSION = sql`(select coalesce(sum(writes), 0)::bigint from table_changes
  where table_name in (${sql.join(CATALOG_TABLES.map((name) => sql.lit(name)))}))`

/**
 * Loads the catalogue. The version is read first: if tables are written meanwhile, the catalogue is newer than its
 * version, never older. Readers compare the version with that of a later statement.
 */
export async function loadCatalog({ db, encryption }: NodeContext): Promise<Catalog> {
  const [found] = await rows<{ version: number }>(db, sql`select ${CATALOG_VERSION} as version`)
  const classes = await rows<{ id: number; name: string }>(db, sql`select id, name from configclasses`)
  const settings = await loadSettings(db)
  const placed = await loadPlacedParameters({ db, encryption, settings }, sql`p.override`)
  return catalogOf(found?.version ?? 0, settings, new Map(classes.map(({ id, name }) => [id, name])), placed)
}

/** A parameter with the environments in which its class has it. */
export interface PlacedParameter {
  readonly environments: readonly number[]
  readonly parameter: Parameter
  readonly references: readonly string[]
}

/** Names the default value of a parameter among references. */
export function nameDefault(parameter: number): string {
  return `default ${parameter}`
}

/** Names the value of an override among references. */
export function nameOverride(override: number): string {
  return `override ${override}`
}

/** Loads the parameters `p` that the condition leaves, with their matchers, in order of their ids. */
export async function loadPlacedParameters(
  { db, encryption, settings }: NodeContext & { readonly settings: Settings },
  condition: Sql,
): Promise<PlacedParameter[]> {
  const stored = await rows<ParameterRow>(db, sql`${PARAMETERS} where ${condition} order by p.id`)
  const matchers = await rows<MatcherRow>(db, sql`${MATCHERS} where ${condition} order by v.id`)
  const byParameter = Map.groupBy(matchers, ({ parameter_id }) => parameter_id)
  const defaultOrder = settings.Default_parameters_Lookup_Path.join('\n')
  return stored.map((row) => {
    const default_value = openKept(encryption, 'smart_class_parameters', row.default_value)
    const opened = (byParameter.get(row.id) ?? []).map((one) => ({
      ...one,
      value: openKept(encryption, 'override_values', one.value),
    }))
    const references = [
      ...(isReference(row, default_value) ? [nameDefault(row.id)] : []),
      ...opened.flatMap(({ id, value }) => (isReference(row, value) ? [nameOverride(id)] : [])),
    ]
    const parameter = buildParameter({ ...row, default_value }, opened, defaultOrder)
    return { environments: row.environments, parameter, references }
  })
}

function isReference({ hidden_value }: ParameterRow, value: string | null): boolean {
  return hidden_value && findReference(value) !== null
}

interface ParameterRow {
  readonly id: number
  readonly class_id: number
  readonly class_name: string
  readonly name: string
  readonly type: string | null
  readonly default_value: string | null
  readonly omit: boolean | null
  readonly required: boolean
  readonly merge_overrides: boolean
  readonly merge_default: boolean
  readonly avoid_duplicates: boolean
  readonly position: string | null
  readonly validator_type: string | null
  readonly validator_rule: string | null
  readonly hidden_value: boolean
  readonly environments: readonly number[]
}

interface MatcherRow {
  readonly id: number
  readonly parameter_id: number
  readonly match: string
  readonly value: string | null
  readonly omit: boolean
}

const PARAMETERS: Sql = sql`
  select p.id, p.configclass_id as class_id, c.name as class_name, p.parameter as name, p.parameter_type as type,
    ${selectKept('smart_class_parameters', 'p')} as default_value, p.omit, p.required, p.merge_overrides, p.merge_default, p.avoid_duplicates,
    p.override_value_order as position, p.validator_type, p.validator_rule, p.hidden_value,
    array(select e.environment_id from class_parameter_environments e where e.smart_class_parameter_id = p.id) as environments
  from smart_class_parameters p join configclasses c on c.id = p.configclass_id`

const MATCHERS: Sql = sql`
  select v.id, v.smart_class_parameter_id as parameter_id, v.match, ${selectKept('override_values', 'v', sql`p.hidden_value`)} as value, v.omit
  from override_values v join smart_class_parameters p on p.id = v.smart_class_parameter_id`

function buildParameter(row: ParameterRow, matchers: readonly MatcherRow[], defaultOrder: string): Parameter {
  const { validator_type: type, validator_rule: rule } = row
  return {
    id: row.id,
    name: row.name,
    classId: row.class_id,
    className: row.class_name,
    type: TYPES.find((each) => each === row.type) ?? null,
    defaultValue: parseStored(row.default_value),
    omit: row.omit === true,
    required: row.required,
    mergeOverrides: row.merge_overrides,
    mergeDefault: row.merge_default,
    avoidDuplicates: row.avoid_duplicates,
    order: row.position || defaultOrder,
    validator: type === 'list' || type === 'regexp' ? { type, rule: rule ?? '' } : null,
    hidden: row.hidden_value,
    matchers: matchers.map(({ id, match, value, omit }): Matcher => ({ id, match, value: parseStored(value), omit })),
  }
}

function parseStored(stored: string | null): Value {
  return stored === null ? null : readJson(stored, Number.POSITIVE_INFINITY)
}

function catalogOf(
  tables: number,
  settings: Settings,
  classNames: ReadonlyMap<number, string>,
  placed: readonly PlacedParameter[],
): Catalog {
  const environments = new Map<number, EnvironmentCatalog>()
  const templates = new Map(placed.map(({ parameter }) => [parameter, templatesOf(parameter)]))
  return {
    version: tables,
    program: readVersion(),
    settings,
    classNames,
    references: new Set(placed.flatMap(({ references }) => references)),
    factNames: factNamesOf(placed.map(({ parameter }) => parameter)),
    readsFacts: [...templates.values()].some(({ facts }) => facts),
    environment: (id) => {
      const known = environments.get(id) ?? environmentOf(placed, id, templates)
      environments.set(id, known)
      return known
    },
  }
}

function environmentOf(
  placed: readonly PlacedParameter[],
  id: number,
  templates: ReadonlyMap<Parameter, TemplateNeeds>,
): EnvironmentCatalog {
  const there = placed.flatMap(({ environments, parameter }) => (environments.includes(id) ? [parameter] : []))
  // The parameters are sorted by name here, as documents are, once for all hosts.
  const compiled = compile(there.sort((a, b) => (a.name < b.name ? -1 : 1)))
  const classes = [...compiled.byClass].map(([classId, members]): [number, ClassCatalog] => {
    const parameters = members.map(({ parameter }) => parameter)
    const needs = parameters.map((parameter) => templates.get(parameter) ?? NO_TEMPLATES)
    return [
      classId,
      {
        digest: computeDigest(parameters.map(describeParameter)),
        matchers: matchersOf(parameters),
        templates: mergeTemplateNeeds(needs),
      },
    ]
  })
  return { compiled, classes: new Map(classes) }
}

/** Describes what a document can depend on in a parameter, beside its matchers. */
function describeParameter({ defaultValue, matchers: _, validator, ...facts }: Parameter): string {
  return JSON.stringify([facts, validator, toExact(defaultValue)])
}

function matchersOf(parameters: readonly Parameter[]): ReadonlyMap<string, string> {
  const all = parameters.flatMap(({ id: parameter, matchers }) =>
    matchers.map(({ id, match, value, omit }) => ({
      match,
      text: JSON.stringify([parameter, id, toExact(value), omit]),
    })),
  )
  const byText = Map.groupBy(all, ({ match }) => match)
  return new Map([...byText].map(([match, those]) => [match, computeDigest(those.map(({ text }) => text))]))
}

/** Data that `JSON.stringify` prints differently for different values, also for 2 and 2.0. */
function toExact(value: Value): unknown {
  if (typeof value === 'bigint') return { integer: String(value) }
  if (typeof value === 'number') return { real: value }
  if (value === null || typeof value !== 'object') return value
  return isMap(value) ? { map: [...value].map(([key, item]) => [key, toExact(item)]) } : value.map(toExact)
}

const HOST_ATTRIBUTES = attributesOf(NOBODY, CONFIG_SERVER_ATTRIBUTE)

function factNamesOf(parameters: readonly Parameter[]): readonly string[] {
  const orders = new Set(parameters.map(({ order }) => order))
  const names = [...orders].flatMap((order) => parseOrder(order).flat())
  return [...new Set(names)].filter((name) => !HOST_ATTRIBUTES.has(name)).sort()
}

const NO_TEMPLATES: TemplateNeeds = { any: false, facts: false, lastReport: false }

function templatesOf({ defaultValue, matchers }: Parameter): TemplateNeeds {
  return mergeTemplateNeeds([defaultValue, ...matchers.map(({ value }) => value)].map(collectTemplateNeeds))
}

/** Collects what the templates in a value need. */
export function collectTemplateNeeds(value: Value): TemplateNeeds {
  if (typeof value === 'string') return isTemplate(value) ? needsOf(value) : NO_TEMPLATES
  if (value === null || typeof value !== 'object') return NO_TEMPLATES
  return mergeTemplateNeeds([...value.values()].map(collectTemplateNeeds))
}

/** Merges the needs of several values. */
export function mergeTemplateNeeds(all: readonly TemplateNeeds[]): TemplateNeeds {
  return {
    any: all.some(({ any }) => any),
    facts: all.some(({ facts }) => facts),
    lastReport: all.some(({ lastReport }) => lastReport),
  }
}

/** The needs of a template, by the words in it: methods can be called only by their names. */
function needsOf(template: string): TemplateNeeds {
  return {
    any: true,
    facts: /\b(?:facts(?:_hash)?|ram|cores|sockets|virtual)\b/.test(template),
    lastReport: /\blast_report\b/.test(template),
  }
}
