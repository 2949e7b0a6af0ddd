import { z } from 'zod'
import { badParameter } from '../errors.ts'
import type { Members } from '../lib/values.ts'
import { readSingle, toBoolean } from './sent.ts'
import type { Surface } from './surface.ts'

/** Which page of a list is asked for, in which order and of which search; pages count from 1 (spec 2.1). */
export interface Paging {
  readonly page: number
  /** Null: all records on one page. */
  readonly perPage: number | null
  readonly search: string | null
  readonly order: string | null
}

/** Yields the schema of a query parameter that may be left out. */
export function textParameter(description: string, example?: string): z.ZodType<string | undefined> {
  return z
    .string()
    .optional()
    .meta({ description, ...(example && { examples: [example] }) })
}

/** The schemas of the query parameters of every request. */
export const contextQuery = {
  organization_id: textParameter('Organization the request is about, by id or title.'),
  location_id: textParameter('Location the request is about, by id or title.'),
}

/** The schemas of the query parameters that every list takes (spec 2.1, 4). */
export const listQuery = {
  search: textParameter('Condition in the search language.'),
  order: textParameter('A search field, then ASC or DESC.', 'name DESC'),
  page: z
    .string()
    .regex(/^[1-9]\d*$/)
    .optional()
    .meta({ description: 'Number of the page, from 1.' }),
  per_page: z
    .string()
    .regex(/^([1-9]\d*|all)$/)
    .optional()
    .meta({ description: 'Records on a page, or `all`.' }),
  after: textParameter(
    'In place of `page`, for who reads everything: empty at first, then what the `Link` with `rel="next"` says.',
  ),
  referable: textParameter(
    'With an organization or a location: `true` lists what records there may refer to, not only what is linked to it directly.',
  ),
  include_permissions: textParameter('Any value adds the permissions on records.'),
}

/** The schemas of further query parameters of lists below `/content/api` (spec 4.6). */
export const contentListQuery = {
  sort_by: textParameter('A search field to sort by; `order` counts more.'),
  sort_order: textParameter('Its direction, ASC or DESC.', 'ASC'),
  full_result: textParameter('True: all records on one page.'),
}

/** Builds the schema of a page of records (spec 2.1); pages of the content surface have further keys. */
export function buildPageSchema(record: z.ZodType, surface: Surface, mayEstimate = false): z.ZodObject {
  const sort = z.object({
    by: z.string().nullable().meta({ description: 'The field named in `order`.' }),
    order: z.string().nullable().meta({ description: 'Its direction, ASC or DESC.' }),
  })
  return z.object({
    total: z.int().meta({ description: 'Records that the caller may see.' }),
    subtotal: z.int().meta({ description: 'Records among `total` that the search finds.' }),
    page: z.int().meta({ description: 'Number of this page.', examples: [1] }),
    per_page: z.int().meta({ description: 'Records on a full page; with `all`, how many there are.', examples: [20] }),
    search: z.string().nullable().meta({ description: 'The search, as sent.' }),
    can_create: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the caller may create one; with include_permissions.' }),
    can_edit: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the caller may change some; with include_permissions.' }),
    sort: sort.meta({ description: 'The order, as sent.' }),
    results: z.array(record).meta({ description: 'The records of this page.' }),
    ...(surface === 'content' && contentEnvelope),
    ...(mayEstimate && estimates),
  })
}

/** The key of lists whose records may be too many to be counted for each answer. */
const estimates = {
  estimated: z
    .array(z.enum(['total', 'subtotal']))
    .optional()
    .meta({ description: 'Which of the two are estimates: they are being counted. Absent where both are exact.' }),
}

/** Keys of the envelope that only lists below `/content/api` have (content-api §1.2). */
const contentEnvelope = {
  selectable: z.int().meta({ description: 'Records that the search finds.' }),
  error: z.null().meta({ description: 'Always null: a search that cannot be understood is refused.' }),
}

/** Reads the query parameters of lists below `/content/api`. {@throws Failure} bad_parameter, with what is allowed */
export function readContentPaging(query: Members, defaultPerPage: number): Paging {
  const paging = readPaging(query, defaultPerPage)
  const by = readSingle(query, 'sort_by')
  const direction = /^desc$/i.test(readSingle(query, 'sort_order') ?? '') ? 'DESC' : 'ASC'
  const full = toBoolean(readSingle(query, 'full_result') ?? false)
  if (typeof full !== 'boolean') throw badParameter('full_result', full, 'must be true or false')
  return {
    ...paging,
    perPage: full ? null : paging.perPage,
    order: paging.order ?? (by ? `${by} ${direction}` : null),
  }
}

/** Reads the query parameters of lists. {@throws Failure} bad_parameter, with what is allowed */
export function readPaging(query: Members, defaultPerPage: number): Paging {
  const perPage = readSingle(query, 'per_page')
  return {
    page: readWhole('page', readSingle(query, 'page')) ?? 1,
    perPage: perPage === 'all' ? null : (readWhole('per_page', perPage) ?? defaultPerPage),
    search: readSingle(query, 'search'),
    order: readSingle(query, 'order'),
  }
}

/** The number of records before a page. */
export function offsetOf({ page, perPage }: Paging): number {
  return perPage === null ? 0 : Math.min((page - 1) * perPage, LARGEST)
}

// The largest integer that JSON carries exactly. Clients that want all records send numbers such as 4294967296.
const LARGEST = Number.MAX_SAFE_INTEGER

function readWhole(name: string, sent: string | null): number | null {
  if (sent === null) return null
  const value = Number(sent)
  if (!/^[1-9]\d*$/.test(sent) || value > LARGEST) {
    throw badParameter(
      name,
      sent,
      name === 'page' ? 'must be a whole number from 1 on' : "must be a whole number from 1 on, or 'all'",
    )
  }
  return value
}

/** Yields `sort` of the envelope: the words of the `order` parameter as they were sent, by default ASC (core-api §2.3). */
export function readSort(order: string | null): { by: string | null; order: string | null } {
  const [by, direction] = (order ?? '').trim().split(/\s+/)
  return by ? { by, order: direction ?? 'ASC' } : { by: null, order: null }
}
