import index from '../generated/index.json'
import type { DescribedOperation, ResourceShort } from '../resources/description.ts'
import { ApiError } from './error.ts'
import { type Caller, may, readCurrentSession } from './session.ts'

const RESOURCES = index as unknown as readonly ResourceShort[] // web/build writes it in this shape

/** A list of the API, as far as it says whose records it has. */
export interface Place {
  readonly resource: Pick<ResourceShort, 'plural'>
  readonly parent: { readonly resource: Pick<ResourceShort, 'plural'>; readonly id: string } | null
}

/** Tells whether the caller may use an operation here: with a permission, or on what is their own. */
export function mayUse(
  caller: Caller,
  operation: DescribedOperation | undefined,
  { resource, parent }: Place,
  id: string | null = null,
): boolean {
  if (operation === undefined) return false
  const owner = parent?.resource.plural === 'users' ? parent.id : resource.plural === 'users' ? (id ?? '') : null
  return may(caller, operation.permissions) || (operation.own && isSelf(caller, owner))
}

/** A list that names no owner has records of several people, and shows the caller only their own. */
function isSelf({ id, login }: Caller, owner: string | null): boolean {
  return owner === null || owner === String(id) || owner === login
}

/**
 * Yields the refusal of a read for which the caller lacks the permission, as the service would send it; null where that is
 * not known in advance. Such a read is not sent, because the service logs each as an attempt.
 */
export function refusalOf(path: string): ApiError | null {
  const session = readCurrentSession()
  const read = session.kind === 'open' ? findRead(path) : undefined
  if (session.kind !== 'open' || !read) return null
  const { operation, place, id } = read
  if (operation === undefined || mayUse(session.caller, operation, place, id)) return null
  return new ApiError({ status: 403, message: '', missingPermissions: operation.permissions })
}

interface Read {
  readonly operation: DescribedOperation | undefined
  readonly place: Place
  readonly id: string | null
}

/** Finds the resource that a path of the API reads: all its records or one, also below a record of another one. */
function findRead(path: string): Read | undefined {
  const [, prefix = '', rest = ''] = /^(\/(?:content\/)?api\/)(.+)$/.exec(path) ?? []
  const [first = '', second, below, third = null, ...more] = rest.split('/').map(decodeURIComponent)
  if (rest === '' || more.length > 0) return undefined
  if (second === undefined) {
    const resource = RESOURCES.find(({ operations }) => operations.list?.path === prefix + first)
    return resource && { operation: resource.operations.list, place: { resource, parent: null }, id: null }
  }
  if (below === undefined) {
    const resource = RESOURCES.find(
      ({ operations }) => operations.show?.path.replace(/:\w+$/, '') === `${prefix}${first}/`,
    )
    return resource && { operation: resource.operations.show, place: { resource, parent: null }, id: second }
  }
  const above = RESOURCES.find(({ operations }) => operations.list?.path === prefix + first)
  const resource = RESOURCES.find(
    ({ operations, parents, within }) =>
      above !== undefined &&
      (within === above.name || parents.includes(above.name)) &&
      operations.list?.path.startsWith(prefix) &&
      operations.list.path.endsWith(`/${below}`),
  )
  const parent = above && { resource: above, id: second }
  if (!resource || !parent) return undefined
  const operation = resource.operations[third === null ? 'list' : 'show']
  return { operation, place: { resource, parent }, id: third }
}
