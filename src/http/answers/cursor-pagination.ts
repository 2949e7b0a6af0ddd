import type { Context } from '../../context.ts'
import type { Encryption, Purpose } from '../../encryption/encryption.ts'
import { badParameter } from '../../errors.ts'
import type { Input, Route } from '../../requests/route.ts'
import { readSingle } from '../../requests/sent.ts'
import { type Counts, compileAfter, type Walk } from '../../search/index.ts'

/** The order of a list, the value and id of the last record that was read, and the counts of the first page. */
type Cursor = readonly [
  order: string,
  value: string | null,
  id: number,
  total: number,
  subtotal: number,
  estimated?: Counts['estimated'],
]

/**
 * Reads the cursor after which a page starts: '' for the first page, null if the request does not page by key. {@throws
 * Failure} bad_parameter
 */
export function readAfter({ query }: Input): string | null {
  const after = query.after === undefined ? null : (readSingle(query, 'after') ?? '')
  if (after !== null && query.page !== undefined)
    throw badParameter('after', after, 'must not be given together with page')
  return after
}

/**
 * Opens a walk behind the cursor of an earlier answer, '' for the beginning; `next` is called with the cursor of the next
 * page unless this one is the last. {@throws Failure} bad_parameter for a cursor that is malformed, of another list, search,
 * place or caller, or of another order
 */
export function openWalk(
  { encrypt, decrypt }: Pick<Encryption, 'encrypt' | 'decrypt'>,
  purpose: Purpose,
  after: string,
  next: (cursor: string) => void,
): Walk {
  const cursor = after === '' ? null : decryptCursor(decrypt, purpose, after)
  return {
    behind: (key, root, order) => {
      if (cursor === null) return null
      const [of, value, id] = cursor
      if (of !== order) throw badParameter('after', after, `belongs to another order, which is '${of}'`)
      return compileAfter(key, { value, id }, root)
    },
    counts: cursor && { total: cursor[3], subtotal: cursor[4], ...(cursor[5] && { estimated: cursor[5] }) },
    goOn: (last, { total, subtotal, estimated }, order) =>
      next(encrypt(JSON.stringify([order, last?._value ?? null, last?._id, total, subtotal, estimated]), purpose)),
  }
}

/** Keys of a query that may change from page to page, or are known by the scope; the cursor itself has the order. */
const FREE = ['after', 'per_page', 'page', 'order', 'organization_id', 'location_id']

/** The purpose of the cursors of a list: the list, caller, place and all conditions that select its records. */
export function toCursorPurpose({ user, scope }: Context, { id }: Route, { params, query }: Input): Purpose {
  const chosen = Object.entries(query).filter(([name]) => !FREE.includes(name))
  const sortNamed = (entries: readonly [string, unknown][]) =>
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
  const place = [scope.organization, scope.location, scope.named]
  const parts = ['cursor', id, user.id, place, sortNamed(Object.entries(params)), sortNamed(chosen)]
  return { text: JSON.stringify(parts), readsOlder: false }
}

// Cursors are encrypted, so that clients cannot invent a position whose value is not of the order's type.
function decryptCursor(decrypt: Encryption['decrypt'], purpose: Purpose, after: string): Cursor {
  try {
    return JSON.parse(decrypt(after, purpose)) as Cursor // as it was encrypted
  } catch {
    throw badParameter('after', after, 'must be empty, or what an answer to the same request said')
  }
}

/** Formats the link to the next page (RFC 8288): the URL of the request with the new cursor as its `after`. */
export function formatNext(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('after', cursor)
  return `<${path}?${parameters}>; rel="next"`
}
