import { boolean, type Field, link, links, text } from '../../../kernel/index.ts'
import { unset } from '../../../records/coerced.ts'
import { json } from '../../../records/json.ts'
import { sql } from '../../../sql.ts'
import { appliedTo } from '../configclass/applied.ts'
import { selectEnvironmentOfHostgroup } from '../configclass/effective.ts'
import { withAliases } from './with-aliases.ts'

// More characters than rules allow, so that the rules refuse longer values in the words of the contract.
const ANY_LENGTH = 1_000_000

/**
 * The fields of smart class parameters (spec 2.8, smart-parameters §1.5). `revise` validates their values, with the
 * messages of the contract.
 */
export const parameterFields = {
  parameter: text({ readOnly: true, required: true, doc: 'Name of the parameter in the class.' }),
  configclass: withOptionalKey(
    link('configclass', {
      required: true,
      readOnly: true,
      onDelete: 'cascade',
      show: ['id', 'name', 'module_name'],
      doc: 'The class it belongs to.',
    }),
  ),
  environments: withOptionalKey(
    links('environment', {
      through: 'class_parameter_environments',
      readOnly: true,
      doc: 'Environments in which the class has it.',
    }),
  ),
  description: text({ max: 65_535, doc: 'Optional note.' }),
  override: boolean({ initial: false, search: 'explicit', doc: 'Its value is managed here.' }),
  parameter_type: withAliases(
    text({
      max: ANY_LENGTH,
      doc: 'string, boolean, integer, real, array, hash, yaml or json; without one a value stays as it is.',
    }),
    'key_type',
  ),
  default_value: json({
    ordered: 'smart_class_parameters',
    exact: true,
    maskedBy: 'hidden_value',
    doc: 'The value where nothing matches, as JSON or as text that its type understands; ***** while it is hidden.',
  }),
  hidden_value: withAliases(
    boolean({
      initial: false,
      doc: 'Shows its values only to users with reveal_external_parameters who send show_hidden=true.',
    }),
    'hidden_value?',
  ),
  omit: withAliases(
    unset(
      boolean({
        initial: false,
        doc: 'Omits the parameter if nothing matches, so that the value of the manifest applies.',
      }),
    ),
    'use_config_default',
  ),
  required: boolean({ initial: false, doc: 'Whether each host needs a value; a host without one is an error.' }),
  validator_type: text({ max: ANY_LENGTH, doc: 'Validation of values: regexp or list.' }),
  validator_rule: text({
    max: ANY_LENGTH,
    doc: 'The regular expression, or the allowed values separated by commas.',
  }),
  merge_overrides: boolean({
    initial: false,
    search: 'explicit',
    doc: 'Merges all matching values; array and hash only.',
  }),
  merge_default: boolean({ initial: false, search: 'explicit', doc: 'Includes the default value in the merge.' }),
  avoid_duplicates: boolean({ initial: false, search: 'explicit', doc: 'Removes duplicates from merged arrays.' }),
  override_value_order: ignoreNull(
    withAliases(
      text({
        max: 65_535,
        doc: 'Order in which matches are looked up, highest priority first: one line for each rule, its attributes separated by commas.',
      }),
      'path',
    ),
  ),
  host: appliedTo(
    'host',
    'The host whose classes have it.',
    (alias, classes) => limitToManaged(alias, classes, sql.ref('o.environment_id'), false),
    ['class_parameter_environments'],
  ),
  hostgroup: appliedTo(
    'hostgroup',
    'The host group whose classes have it.',
    (alias, classes) => limitToManaged(alias, classes, selectEnvironmentOfHostgroup('o'), true),
    ['class_parameter_environments'],
  ),
} as const

/** The fields above, by which drafts and rows are typed. */
export type ClassParameterFields = typeof parameterFields

type Sql = ReturnType<typeof sql>

/** Leaves managed parameters of classes that are also in the environment (smart-parameters §1.3). */
function limitToManaged(alias: string, classes: Sql, environment: Sql, orNone: boolean): Sql {
  const there = sql`exists (select from class_parameter_environments e
    where e.smart_class_parameter_id = ${sql.ref(`${alias}.id`)} and e.environment_id = ${environment})`
  return sql`${sql.ref(`${alias}.override`)} and ${sql.ref(`${alias}.configclass_id`)} in (${classes})
    and ${orNone ? sql`(${environment} is null or ${there})` : there}`
}

function ignoreNull<F extends Field>(field: F): F {
  const read: Field['read'] = async (ctx, at, sent) => (await field.read?.(ctx, at, sent)) ?? undefined
  return { ...field, read }
}

/**
 * Makes the key of a field optional: answers leave it out where the request itself names the record (smart-parameters
 * §1.4).
 */
function withOptionalKey<F extends Field>(field: F): F {
  return {
    ...field,
    readable: (at) => {
      const keys = field.readable(at)
      const own = keys[at.name]
      return own ? { ...keys, [at.name]: { ...own, schema: () => own.schema().optional() } } : keys
    },
  }
}
