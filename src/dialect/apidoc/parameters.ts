import type { z } from 'zod'
import { createValueTranslator, translateName, translateSentence } from '../names.ts'
import { definitionOf } from '../routes/definition-of.ts'
import { SAID_FOR_CLIENTS } from '../table.ts'

/**
 * A parameter as the description shows it: it decides what clients send, and how they validate it before (clients.md §2).
 */
export interface Parameter {
  readonly name: string
  readonly full_name: string
  readonly description: string
  readonly required: boolean
  readonly allow_nil: boolean
  readonly allow_blank: boolean
  readonly validator: string
  readonly expected_type: ExpectedType
  readonly metadata: null
  readonly show: boolean
  readonly validations: readonly never[]
  readonly params?: readonly Parameter[]
}

/** The types that descriptions of parameters name. */
export type ExpectedType = 'string' | 'numeric' | 'boolean' | 'array' | 'hash' | 'any_type'

/** Describes the parameters of an object schema; those of an object inside another are named `parent[name]`. */
export function describeParameters(schema: z.ZodType, within: string, parent: string | null = null): Parameter[] {
  const form = formOf(schema)
  if (form.kind !== 'hash') return []
  const names = new Set(Object.keys(form.shape))
  return Object.entries(form.shape)
    .filter(([name]) => !isOtherWordFor(name, names) && !SAID_FOR_CLIENTS.includes(name))
    .map(([name, member]) => parameterOf(name, member, within, parent))
}

/** Describes a path segment: the record is named by its id, or by a name where that is allowed. */
export function describeSegment(ours: string, byIdOnly = false): Parameter {
  const name = translateName('theirs', ours)
  const about = name === 'id' ? 'record' : name.replace(/_id$/, '').replaceAll('_', ' ')
  return buildParameter(name, null, {
    description: `Id of the ${about}`,
    required: true,
    allow_nil: false,
    form:
      byIdOnly || NUMERIC.has(name)
        ? { kind: 'numeric', validator: VALIDATORS.numeric }
        : { kind: 'string', validator: IDENTIFIER },
  })
}

function parameterOf(ours: string, schema: z.ZodType, within: string, parent: string | null): Parameter {
  const name = translateName('theirs', ours)
  const form = describeForm(ours, formOf(schema))
  const full = parent === null ? name : `${parent}[${name}]`
  const nested = nestedOf(name, schema, within, full)
  return buildParameter(name, parent, {
    description: translateSentence(descriptionOf(schema)),
    required: !accepts(schema, undefined),
    allow_nil: accepts(schema, null),
    form: withWords(form, ours, within),
    ...(nested.length > 0 && { nested }),
  })
}

interface Facts {
  readonly description: string
  readonly required: boolean
  readonly allow_nil: boolean
  readonly form: Form
  readonly nested?: readonly Parameter[]
}

function buildParameter(
  name: string,
  parent: string | null,
  { description, required, allow_nil, form, nested }: Facts,
): Parameter {
  const validator = form.kind === 'hash' ? VALIDATORS.hash : form.validator
  return {
    name,
    full_name: parent === null ? name : `${parent}[${name}]`,
    description,
    required,
    allow_nil,
    allow_blank: false,
    validator: nested && form.kind === 'array' ? NESTED : validator,
    expected_type: form.kind,
    metadata: null,
    show: true,
    validations: [],
    ...((nested || form.kind === 'hash') && { params: nested ?? [] }),
  }
}

/** Describes objects in a list, and members of an object, as parameters of their own. */
function nestedOf(name: string, schema: z.ZodType, within: string, full: string): Parameter[] {
  const form = formOf(schema)
  const inner = form.kind === 'hash' ? schema : form.kind === 'array' ? form.element : undefined
  const found = inner ? describeParameters(inner, within, full) : []
  const stated = (MEMBERS[name] ?? []).map((line) => parseParameter(line, full))
  return [...found.filter((one) => !stated.some((other) => other.name === one.name)), ...stated]
}

/** Yields a parameter with these as its members. */
export function withNested(parameter: Parameter, params: readonly Parameter[]): Parameter {
  return { ...parameter, ...(parameter.expected_type === 'array' && { validator: NESTED }), params }
}

/**
 * Parses a parameter from the notation of the tables: `#` behind the name is a number, `?` a boolean, `[]` a list, `{}` an
 * object; `!` is required.
 */
export function parseParameter(written: string, parent: string | null = null): Parameter {
  const [, name = '', sign = ''] = /^(\w+)(#|\?|\[\]|\{\})?!?$/.exec(written) ?? []
  const kind = SIGNS[sign] ?? 'string'
  const required = written.endsWith('!')
  const form: Form = kind === 'hash' ? { kind, shape: {} } : { kind, validator: VALIDATORS[kind] }
  return buildParameter(name, parent, { description: '', required, allow_nil: !required, form })
}

const SIGNS: Readonly<Record<string, ExpectedType>> = { '#': 'numeric', '?': 'boolean', '[]': 'array', '{}': 'hash' }

const PARAMETER = ['name', 'value', 'parameter_type', 'hidden_value?']

/** Members of objects in lists whose schema is open, because the service validates them one by one. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  host_parameters_attributes: PARAMETER,
  group_parameters_attributes: PARAMETER,
  os_parameters_attributes: PARAMETER,
  domain_parameters_attributes: PARAMETER,
  subnet_parameters_attributes: PARAMETER,
  location_parameters_attributes: PARAMETER,
  organization_parameters_attributes: PARAMETER,
  interfaces_attributes: [
    'id#',
    'mac',
    'ip',
    'ip6',
    'type',
    'name',
    'subnet_id#',
    'subnet6_id#',
    'domain_id#',
    'identifier',
    'managed?',
    'primary?',
    'provision?',
    'username',
    'password',
    'provider',
    'virtual?',
    'tag',
    'mtu#',
    'attached_to',
    'mode',
    'attached_devices[]',
    'bond_options',
    '_destroy?',
  ],
}

/**
 * Tells whether a parameter only repeats another: links may be sent by id, name, title or as objects; clients look for the
 * ids.
 */
function isOtherWordFor(name: string, names: ReadonlySet<string>): boolean {
  if (name.endsWith('?')) return names.has(name.slice(0, -1))
  const singular = name.replace(/_(?:names|titles)$/, '')
  if (singular !== name) return names.has(`${singular}_ids`)
  const one = name.replace(/_(?:name|title)$/, '')
  if (one !== name) return names.has(`${one}_id`)
  return names.has(`${name}_id`) || names.has(`${singularOf(name)}_ids`)
}

function singularOf(plural: string): string {
  return plural === 'media' ? 'medium' : plural.replace(/ies$/, 'y').replace(/sses$/, 'ss').replace(/s$/, '')
}

/** How a client validates a value. */
type Form =
  | { readonly kind: 'hash'; readonly shape: Readonly<Record<string, z.ZodType>> }
  | {
      readonly kind: Exclude<ExpectedType, 'hash'>
      readonly validator: string
      readonly element?: z.ZodType
      readonly values?: readonly string[]
    }

function formOf(schema: z.ZodType): Form {
  const def = definitionOf(schema)
  if (def.innerType) return formOf(def.innerType)
  if (def.type === 'pipe' && def.in && def.out) return formOf(isTransform(def.in) ? def.out : def.in)
  switch (def.type) {
    case 'object':
      return { kind: 'hash', shape: def.shape ?? {} }
    case 'record':
      return { kind: 'hash', shape: {} }
    case 'array':
      return { kind: 'array', validator: VALIDATORS.array, ...(def.element && { element: def.element }) }
    case 'number':
    case 'int':
      return { kind: 'numeric', validator: VALIDATORS.numeric }
    case 'boolean':
      return { kind: 'boolean', validator: VALIDATORS.boolean }
    case 'string':
      return { kind: 'string', validator: VALIDATORS.string }
    case 'enum':
      return { kind: 'string', validator: '', values: Object.values(def.entries ?? {}) }
    case 'union':
      return unionOf(def.options ?? [])
    default:
      return { kind: 'any_type', validator: VALIDATORS.any_type }
  }
}

function isTransform(schema: z.ZodType): boolean {
  return definitionOf(schema).type === 'transform'
}

/** Yields what the forms of a union have in common, which is all that clients can validate. */
function unionOf(options: readonly z.ZodType[]): Form {
  const [first, ...others] = options.map(formOf).filter(({ kind }) => kind !== 'any_type')
  return first && others.every(({ kind }) => kind === first.kind)
    ? first
    : { kind: 'any_type', validator: VALIDATORS.any_type }
}

/** Ids in queries are texts in our schemas, because they may be names; they are described as numbers, which clients send. */
function describeForm(name: string, form: Form): Form {
  const isId = form.kind === 'string' && name.endsWith('_id')
  const kind = NUMERIC.has(name) || isId ? 'numeric' : STATED[name]
  return kind && form.kind !== 'hash' ? { kind, validator: VALIDATORS[kind] } : form
}

const NUMERIC: ReadonlySet<string> = new Set(['page', 'organization_id', 'location_id', 'operatingsystem_id'])

/** Types that are described narrower than what this service accepts. */
const STATED: Readonly<Record<string, Exclude<ExpectedType, 'hash'>>> = {
  thin: 'boolean',
  dryrun: 'boolean',
  show_hidden: 'boolean',
  include: 'array',
  without: 'array',
  full_result: 'boolean',
  nondefault: 'boolean',
  noncomposite: 'boolean',
  composite: 'boolean',
  library: 'boolean',
  archived: 'boolean',
  enabled: 'boolean',
  custom: 'boolean',
  redhat_only: 'boolean',
  match_host: 'boolean',
  match_installed: 'boolean',
  no_overlap: 'boolean',
  content_access_mode_all: 'boolean',
  content_access_mode_env: 'boolean',
  max_hosts: 'numeric',
  quantity: 'numeric',
}

function withWords(form: Form, key: string, within: string): Form {
  if (form.kind !== 'string' || !form.values) return form
  const word = createValueTranslator('theirs', key, within) ?? ((value: string) => value)
  const values = form.values.map((value) => `<code>${word(value)}</code>`)
  return { ...form, validator: `Must be one of: ${values.join(', ')}.` }
}

function accepts(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success
}

function descriptionOf(schema: z.ZodType): string {
  const { innerType } = definitionOf(schema)
  return schema.meta()?.description ?? (innerType ? descriptionOf(innerType) : '')
}

const VALIDATORS: Readonly<Record<ExpectedType, string>> = {
  string: 'String',
  numeric: 'Must be a number.',
  boolean: 'Must be one of: <code>true</code>, <code>false</code>, <code>1</code>, <code>0</code>.',
  array: 'Must be an array of any type',
  hash: 'Hash',
  any_type: 'Must be of any type',
}
const NESTED = 'Must be an Array of nested elements'
const IDENTIFIER = 'Must be an identifier, string from 1 to 128 characters.'
