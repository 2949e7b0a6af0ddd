import type { Query, SearchField } from '../../src/search/index.ts'

/** A related row: values by column. */
export type Row = Readonly<Record<string, unknown>>

/** A small schema for the evaluator: own columns, and one to-many relation named `related`. */
export interface Model {
  readonly fields: readonly SearchField[]
  readonly related: (row: Row, field: SearchField, key: string | null) => readonly Row[]
}

/**
 * Evaluates a search on a record in memory, independently of the compiler: three-valued logic with true, false and null,
 * exactly as core-api §8.3 and §8.4 define it.
 */
export function matches(model: Model, query: Query, row: Row): boolean {
  return truth(model, query, row) === true
}

type Truth = boolean | null

function truth(model: Model, query: Query, row: Row): Truth {
  switch (query.kind) {
    case 'and':
      return conjunction(query.operands.map((operand) => truth(model, operand, row)))
    case 'or':
      return disjunction(query.operands.map((operand) => truth(model, operand, row)))
    case 'not':
      return truth(model, query.operand, row) !== true
    case 'has':
      return valuesOf(model, query.field, row).some((value) => value !== null)
    case 'null': {
      const values = valuesOf(model, query.field, row)
      return (values.length === 0 && !fieldNamed(model, query.field).key) || values.some((value) => value === null)
    }
    case 'word':
      return freeText(model, null, query.value, row)
    case 'compare':
      if (query.field === null) return freeText(model, query.operator, query.value, row)
      return fieldTruth(model, query.field, query.operator, query.value, row)
  }
}

function freeText(model: Model, operator: string | null, value: string, row: Row): Truth {
  const flag = model.fields.find((field) => field.name === value && field.type === 'boolean')
  if (flag && operator === null) return fieldTruth(model, flag.name, 'eq', 'true', row)
  const suiting = model.fields.filter((field) => {
    if (field.explicit || field.type === 'boolean') return false
    if (field.type === 'integer') return /^-?\d+$/.test(value)
    return operator === null || ['eq', 'ne', 'like', 'unlike'].includes(operator)
  })
  return disjunction(
    suiting.map((field) =>
      fieldTruth(model, field.name, operator ?? (field.type === 'text' ? 'like' : 'eq'), value, row),
    ),
  )
}

// A relation compares true when one of its rows does, and is never unknown.
function fieldTruth(model: Model, name: string, operator: string, value: string, row: Row): Truth {
  const field = fieldNamed(model, name)
  const truths = valuesOf(model, name, row).map((stored) => compare(field, operator, value, stored))
  return field.through ? truths.includes(true) : (truths[0] ?? null)
}

function valuesOf(model: Model, name: string, row: Row): unknown[] {
  const field = fieldNamed(model, name)
  const key = field.key ? name.slice(name.indexOf('.') + 1) : null
  const rows = field.through ? model.related(row, field, key) : [row]
  return rows.map((related) => related[field.column ?? ''] ?? null)
}

function fieldNamed(model: Model, name: string): SearchField {
  const field = model.fields.find(
    (candidate) => candidate.name === name || (candidate.key && name.startsWith(`${candidate.name}.`)),
  )
  if (!field) throw new Error(`the model has no field ${name}`)
  return field
}

function compare(field: SearchField, operator: string, value: string, stored: unknown): Truth {
  if (stored === null) return null
  if (field.type === 'integer') return ordered(operator, Number(stored), value, (item) => Number(item))
  if (field.type === 'boolean') return operator === 'eq' ? stored === (value === 'true') : stored !== (value === 'true')
  const text = String(stored)
  if (operator === 'like') return like(text, value)
  if (operator === 'unlike') return !like(text, value)
  return ordered(operator, codePoints(text), value, codePoints)
}

function ordered<Value extends string | number>(
  operator: string,
  stored: Value,
  value: string,
  read: (item: string) => Value,
): boolean {
  if (operator === 'in') return value.split(',').some((item) => read(item.trim()) === stored)
  if (operator === 'notin') return !value.split(',').some((item) => read(item.trim()) === stored)
  const wanted = read(value)
  switch (operator) {
    case 'eq':
      return stored === wanted
    case 'ne':
      return stored !== wanted
    case 'gt':
      return stored > wanted
    case 'gte':
      return stored >= wanted
    case 'lt':
      return stored < wanted
    default:
      return stored <= wanted
  }
}

// JavaScript compares UTF-16 units; in UTF-32 the order is that of code points.
function codePoints(text: string): string {
  return [...text].map((character) => String(character.codePointAt(0)).padStart(7, '0')).join('')
}

function like(text: string, value: string): boolean {
  const pattern = /[*%]/.test(value) ? value.replace(/[*%]+/g, '%') : `%${value}%`
  let expression = ''
  const characters = [...fold(pattern)]
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] as string
    if (character === '\\') expression += literally(characters[++index] ?? '')
    else expression += character === '%' ? '.*' : character === '_' ? '.' : literally(character)
  }
  return new RegExp(`^${expression}$`, 'su').test(fold(text))
}

function fold(text: string): string {
  return [...text].map((character) => (character === 'İ' ? 'i' : character.toLowerCase())).join('')
}

function literally(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
}

function conjunction(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false
  return truths.includes(null) ? null : true
}

function disjunction(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true
  return truths.includes(null) ? null : false
}
