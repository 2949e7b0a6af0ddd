import type { Failure } from '../errors.ts'
import type { Route } from '../requests/route.ts'
import type { Handle } from './shapes.ts'

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
