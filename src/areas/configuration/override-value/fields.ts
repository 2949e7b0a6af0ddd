import { boolean, type Field, link, text } from '../../../kernel/index.ts'
import { json } from '../../../records/json.ts'
import { sql } from '../../../sql.ts'
import { OVERRIDE_WORDS } from '../smart-class-parameter/readable.ts'
import { withAliases } from '../smart-class-parameter/with-aliases.ts'

/** The fields of override values (smart-parameters §2). */
export const overrideFields = {
  smart_class_parameter: link('smart_class_parameter', {
    required: true,
    readOnly: true,
    onDelete: 'cascade',
    show: ['id', 'parameter'],
    doc: 'The parameter.',
  }),
  match: asItComes(text({ max: 65_535, doc: OVERRIDE_WORDS.match })),
  value: json({ exact: true, ordered: 'override_values', maskedBy: 'hidden_value', doc: OVERRIDE_WORDS.value }),
  omit: withAliases(boolean({ initial: false, doc: OVERRIDE_WORDS.omit }), 'use_config_default'),
  hidden_value: buildHidesValues(),
}

/** The fields above, by which drafts and rows are typed. */
export type OverrideFields = typeof overrideFields

/** Selects whether the parameter of an override hides its values. */
export function isHidden(alias: string) {
  return sql`(select p.hidden_value from smart_class_parameters p where p.id = ${sql.ref(`${alias}.smart_class_parameter_id`)})`
}

/** Makes a field let null pass, because `validateOverride` refuses it in the words of the contract. */
function asItComes<F extends Field<string | null>>(field: F): F {
  return { ...field, column: ({ name }) => ({ name, type: 'text', nullable: false }) }
}

/** A field that tells audits whether the parameter hides its values, so that they mask them. */
function buildHidesValues(): Field<boolean> {
  return {
    kind: 'of parameter',
    doc: 'Whether its parameter hides its values.',
    writable: () => ({}),
    readable: () => ({}),
    search: () => [],
    elsewhere: {
      sql: (_at, alias) => isHidden(alias),
      store: async () => {},
      auditedAs: () => 'hidden_value',
      tables: () => ['smart_class_parameters'],
    },
  }
}
