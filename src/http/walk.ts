import type { Encryption } from '../encryption.ts'
import { badParameter } from '../errors.ts'
import { readSingle } from '../kernel/input.ts'
import type { Input, Route } from '../kernel/route.ts'
import { compileAfter, type Walk } from '../search/index.ts'

/** Which order a page is of, where its last record stood in it, and what the first page counted. */
type Cursor = readonly [order: string, value: string | null, id: number, total: number, subtotal: number]

/** Whether a route is a list that can be read page by page. */
export function isWalked({ method, query }: Route): boolean {
  return method === 'GET' && query?.shape.after !== undefined
}

/** What the request says of the page before: '' for none, null where it does not ask for that. {@throws Failure} bad_parameter */
export function readAfter({ query }: Input): string | null {
  const after = query.after === undefined ? null : (readSingle(query, 'after') ?? '')
  if (after !== null && query.page !== undefined)
    throw badParameter('after', after, 'must not be given together with page')
  return after
}

/** A walk behind the cursor that an answer gave; `next` is told that of the next page. {@throws Failure} bad_parameter */
export function openWalk(
  { encrypt, decrypt }: Pick<Encryption, 'encrypt' | 'decrypt'>,
  after: string,
  next: (cursor: string) => void,
): Walk {
  const cursor = after === '' ? null : decrypted(decrypt, after)
  return {
    behind: (key, root, order) => {
      if (cursor === null) return null
      const [of, value, id] = cursor
      if (of !== order) throw badParameter('after', after, `belongs to another order, which is '${of}'`)
      return compileAfter(key, { value, id }, root)
    },
    counts: cursor && { total: cursor[3], subtotal: cursor[4] },
    goOn: (last, { total, subtotal }, order) =>
      next(encrypt(JSON.stringify([order, last?._value ?? null, last?._id, total, subtotal]))),
  }
}

// Nobody makes up a position: the database never sees a value of another type than that of the order.
function decrypted(decrypt: Encryption['decrypt'], after: string): Cursor {
  try {
    return JSON.parse(decrypt(after)) as Cursor // as it was encrypted
  } catch {
    throw badParameter('after', after, 'must be empty, or what an answer said')
  }
}

/** The link to the next page (RFC 8288): the same request behind what it was answered with. */
export function formatNext(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('after', cursor)
  return `<${path}?${parameters}>; rel="next"`
}
