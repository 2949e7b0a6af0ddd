import fc from 'fast-check'
import type { Operator, Query } from '../../src/search/index.ts'

/** Texts that could be anything: names, operators in quotes, blanks, quotes, backslashes, letters of many scripts. */
export const value = fc.oneof(
  fc.constantFrom(
    'a',
    'web01',
    'x y',
    'and',
    'not',
    'Has',
    'null?',
    '(',
    ')',
    ',',
    'a,b',
    '"',
    'say "x"',
    '\\',
    'back\\slash',
    '',
    ' ',
    '-5',
    '42',
    '%',
    '_',
    '*',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !text.includes('\0')),
  fc.string({ unit: 'grapheme-ascii', maxLength: 6 }),
)

const operator: fc.Arbitrary<Operator> = fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'unlike')

/** Generates any tree that a search can have. */
export const query: fc.Arbitrary<Query> = treeOf(
  fc.oneof(
    fc.record({ kind: fc.constant('word' as const), value }),
    fc.record({ kind: fc.constantFrom('has' as const, 'null' as const), field: value }),
    fc.record({ kind: fc.constant('compare' as const), operator, field: fc.option(value), value }),
    fc.record({
      kind: fc.constant('compare' as const),
      operator: fc.constantFrom('in' as const, 'notin' as const),
      field: value,
      value,
    }),
  ),
)

/**
 * Generates trees with leaves of `leaf`: no "and" directly inside an "and", no "or" inside an "or", at least two operands.
 */
export function treeOf(leaf: fc.Arbitrary<Query>): fc.Arbitrary<Query> {
  return fc.letrec<{ tree: Query; and: Query; or: Query; not: Query; leaf: Query }>((tie) => ({
    leaf,
    not: tie('tree').map((operand): Query => ({ kind: 'not', operand })),
    and: operands(fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('or'), tie('not')), 'and'),
    or: operands(fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('and'), tie('not')), 'or'),
    tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('and'), tie('or'), tie('not')),
  })).tree
}

function operands(operand: fc.Arbitrary<Query>, kind: 'and' | 'or'): fc.Arbitrary<Query> {
  return fc.array(operand, { minLength: 2, maxLength: 4 }).map((parts): Query => ({ kind, operands: parts }))
}
