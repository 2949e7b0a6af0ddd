import { z } from 'zod'
import type { Route } from '../../src/requests/route.ts'

/** An unchecked answer. */
export interface Answered {
  readonly request: string
  /** The route of the request; undefined when there is none. */
  readonly route: Route | undefined
  readonly status: number
  readonly text: string
  readonly isJson: boolean
}

/**
 * Checks every answer of a test against what its route declares, without additional keys, and every refusal against the
 * documented forms (core-api §2.5). {@throws} for any other answer, and for a fault of the server.
 */
export function checkAnswer({ request, route, status, text, isJson }: Answered): void {
  const wrong = (reason: string) => new Error(`${request} answered ${status}: ${reason}\n${text.slice(0, 2000)}`)
  if (['node', 'register', 'unattended'].includes(route?.group ?? '') && !isJson) return
  if (isFault({ route, status, text })) throw wrong('a fault of the server')
  if (status >= 400) {
    if (request.startsWith('HEAD ') || (!route && !isJson)) return
    const own = route?.answers[status]
    const shapes = own ? [strict(own)] : refusalsWith(status, request)
    if (!shapes) throw wrong('no refusal is documented with this status')
    const body = isJson ? JSON.parse(text) : text
    if (!shapes.some((shape) => shape.safeParse(body).success)) throw wrong('not the documented body of a refusal')
    return
  }
  if (request.startsWith('HEAD ')) return
  if (!route) {
    if (isJson) throw wrong('no route declares it')
    return
  }
  if (status === 304) {
    if (text !== '') throw wrong('a body, where the caller has it already')
    return
  }
  const declared = route.answers[status]
  if (declared === undefined) throw wrong(`${route.id} declares ${Object.keys(route.answers).join(', ')} only`)
  if (declared === null) return
  const parsed = strict(declared).safeParse(isJson ? JSON.parse(text) : text)
  if (!parsed.success) throw wrong(`not what ${route.id} declares: ${z.prettifyError(parsed.error)}`)
}

/** Checks that headers are printable and short, but for links, which are of use only whole. {@throws} for any other */
export function checkHeaders(request: string, headers: Readonly<Record<string, unknown>>): void {
  const values = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  for (const [name = '', value = ''] of values)
    if (/[^\x20-\x7e]/.test(value) || (value.length > 1000 && name !== 'link'))
      throw new Error(`${request} answered the header ${name}: ${value.length} characters, ${value.slice(0, 2000)}`)
}

/**
 * Tells whether an answer is a fault: any 500 except that of spec 7, for a value that does not fit, and that of imports
 * whose source does not answer (smart-parameters §6.1).
 */
export function isFault({ route, status, text }: Pick<Answered, 'route' | 'status' | 'text'>): boolean {
  const { group = '', id = '' } = route ?? {}
  const isRefusal = REFUSING.includes(group) && text.startsWith('{"error":{"message":"Validation failed: ')
  const isImport = id.includes('import_configclasses') && text.startsWith('{"message":')
  return status === 500 && !isRefusal && !isImport
}

const REFUSING = ['smart_class_parameters', 'override_values']

const known = new WeakMap<z.ZodType, z.ZodType>()

/** Yields an equal schema whose objects accept no undeclared keys. */
function strict(schema: z.ZodType): z.ZodType {
  const made = known.get(schema) ?? makeStrict(schema)
  known.set(schema, made)
  return made
}

// zod types the parts of composed schemas as its core types; each is a ZodType here.
function makeStrict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    if (schema.def.catchall) return schema
    const shape = Object.entries(schema.shape).map(([key, value]) => [key, strict(value as z.ZodType)])
    return z.strictObject(Object.fromEntries(shape))
  }
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType))
  if (schema instanceof z.ZodNullable) return strict(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodOptional) return strict(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((option) => strict(option as z.ZodType)))
  return schema
}

const sentence = z.string().min(1)
const plain = z.strictObject({ error: z.strictObject({ message: sentence }) })
const unanswered = z.strictObject({ error: z.strictObject({ message: sentence, details: sentence }) })
const bare = z.strictObject({ message: sentence })
const denied = z.strictObject({
  error: z.strictObject({
    message: sentence,
    details: sentence,
    missing_permissions: z.array(sentence).min(1).nullable(),
  }),
})
/** Where an item of a list is refused: one list, and a place in it. */
const item = z
  .record(z.string(), z.int().nonnegative())
  .refine((lists) => Object.keys(lists).length === 1, 'not one list')
  .optional()
const invalid = z.strictObject({
  error: z.strictObject({
    id: z.int().nullable(),
    errors: z
      .record(z.string(), z.array(sentence).min(1))
      .refine((errors) => Object.keys(errors).length > 0, 'no field'),
    full_messages: z.array(sentence).min(1),
    item,
  }),
})

/** The form of refusals below `/content/api` and `/rhsm` (content-api §6). */
const displayed = z.strictObject({
  displayMessage: sentence,
  errors: z.union([z.array(sentence).min(1), z.record(z.string(), z.array(sentence).min(1))]),
  item,
})

/** The form of refusals below `/oauth` (RFC 6749 5.2). */
const oauth = z.strictObject({ error: sentence, error_description: sentence })

const batch = z.strictObject({
  error: z.strictObject({ message: sentence }),
  results: z.array(z.strictObject({ status: z.int(), body: z.unknown().optional() })).min(1),
})

function refusalsWith(status: number, request: string): readonly z.ZodType[] | undefined {
  if (/ "?\/oauth\//.test(request)) return [oauth]
  const shapes = REFUSALS[status]
  return / "?\/(?:content\/api|rhsm)\//.test(request) && shapes ? [...shapes, displayed] : shapes
}

const REFUSALS: Readonly<Record<number, readonly z.ZodType[]>> = {
  400: [
    z.strictObject({ status: z.literal(400), error: sentence }),
    z.strictObject({ error: z.strictObject({ message: sentence, class: sentence, position: z.int().optional() }) }),
    z.strictObject({ error: z.strictObject({ message: sentence, class: sentence, parameter_name: sentence }) }),
  ],
  401: [plain, denied, unanswered, z.literal('')],
  403: [denied, plain],
  404: [plain, bare, z.strictObject({ status: z.literal(404), error: z.literal('Not Found') })],
  409: [bare],
  410: [
    z.strictObject({ error: z.strictObject({ message: sentence, oldest: z.int() }) }),
    z.strictObject({ displayMessage: sentence, errors: z.array(sentence).min(1), deletedId: z.uuid() }),
  ],
  412: [plain, sentence],
  413: [plain],
  415: [plain],
  422: [invalid, plain, batch],
  500: [plain, bare],
  503: [plain],
}
