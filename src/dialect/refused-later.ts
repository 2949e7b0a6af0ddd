import type { Failure } from '../errors.ts'
import type { Route } from '../requests/route.ts'
import type { Handle } from './shapes.ts'

/**
 * Parameters that clients may send because their commands have them, and that are not kept: the reason with which they are
 * refused unless they are blank.
 */
export const NOT_KEPT: readonly {
  readonly group: string
  readonly root: string
  readonly refused: Readonly<Record<string, string>>
}[] = [
  {
    group: 'compute_resources',
    root: 'compute_resource',
    refused: { password: 'must be blank: nothing here reaches compute resources, so no secret is kept' },
  },
  {
    group: 'hostgroups',
    root: 'hostgroup',
    refused: { kickstart_repository_id: 'must be blank: hosts are installed from their medium' },
  },
  {
    group: 'repositories',
    root: 'repository',
    refused: {
      ansible_collection_auth_token: 'must be blank: nothing is fetched from here, so no secret is kept',
      upstream_password: 'must be blank: nothing is fetched from here, so no secret is kept',
    },
  },
]

/** Tells whether a route takes the keys of a record. */
export function takesRecord(route: Route): boolean {
  return isLocking(route) || route.id.endsWith('.create')
}

/**
 * Refuses a request for what its body says: where a record is locked, once it has been found, so that nothing is said of
 * one that is not there, and otherwise at once. {@throws Failure} the refusal, or what is thrown before the record is found
 */
export async function refuseLater(
  route: Route,
  inner: Handle,
  [ctx, input]: Parameters<Handle>,
  refusal: Failure,
): ReturnType<Handle> {
  if (!isLocking(route)) throw refusal
  const refuse: typeof ctx.beforeWrite = async (tx, resource) => {
    await ctx.beforeWrite?.(tx, resource)
    throw refusal
  }
  return inner({ ...ctx, beforeWrite: refuse }, input)
}

/** Tells whether a route takes the keys of a record that it locks before it writes: an update or a copy. */
function isLocking({ locks, id }: Route): boolean {
  return locks === true || id.endsWith('.clone')
}
