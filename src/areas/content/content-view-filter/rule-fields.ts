import { type Field, link, text } from '../../../kernel/index.ts'
import { blankAsNull, withWritable } from '../../../records/coerced.ts'
import { words } from '../../../records/words.ts'
import { DATE_TYPES, ERRATUM_TYPES } from './types.ts'

const word = (doc: string, search: 'free' | 'explicit' = 'explicit'): Field<string | null> =>
  blankAsNull(text({ search, doc }))

const DAY = { regexp: /^\d{4}-\d{2}-\d{2}$/, message: 'must be a day such as 2026-03-31' }

/** The fields of rules of filters (content-api §8.3). */
export const ruleFields = {
  content_view_filter: link('content_view_filter', {
    required: true,
    readOnly: true,
    onDelete: 'cascade',
    doc: 'Its filter.',
  }),
  name: takeOne(word('Packages, a group or tags by their name, with * for any characters.', 'free')),
  uuid: word('A package group by its uuid.'),
  version: word('Packages of this version alone.'),
  min_version: word('Packages of this version and later ones.'),
  max_version: word('Packages of this version and earlier ones.'),
  architecture: word('Packages of this architecture alone.'),
  errata_id: takeOne(word('An erratum by its id.')),
  start_date: blankAsNull(text({ pattern: DAY, doc: 'Errata of this day (YYYY-MM-DD) and later ones.' })),
  end_date: blankAsNull(text({ pattern: DAY, doc: 'Errata of this day (YYYY-MM-DD) and earlier ones.' })),
  types: words({ of: ERRATUM_TYPES, column: 'types', doc: `Errata of these types: ${ERRATUM_TYPES.join(', ')}.` }),
  date_type: blankAsNull(
    text({ oneOf: DATE_TYPES, doc: `Date of an erratum that counts: ${DATE_TYPES.join(' or ')}.` }),
  ),
}

/** The fields above, by which drafts and rows are typed. */
export type RuleFields = typeof ruleFields

/** A key for which clients may send a list; of a single rule it may have one entry. */
function takeOne<F extends Field<string | null>>(field: F): F {
  return withWritable(field, ({ coerce }) => ({
    coerce: (sent) => {
      const only = Array.isArray(sent) && sent.length === 1 ? sent[0] : sent
      return coerce ? coerce(only) : only
    },
  }))
}
