import { type Actor, type Context, type Grant, SERVICE, withBelow } from '../../context.ts'
import type { RegistrationOwner } from './key.ts'

/** What a machine with a key or an identity certificate may name of its organization. */
const GRANTED = ['view_content_views', 'view_lifecycle_environments', 'view_subscriptions']

/**
 * Yields the context of a request without a user, after its key or the certificate of its host has determined the
 * organization: the service looks up all its names there (docs/decisions/0048-what-credentials-open.md). For users the
 * context stays the same.
 */
export function asMachineOf(ctx: Context, { id }: Pick<RegistrationOwner, 'id'>): Context {
  if (ctx.user.id !== SERVICE.id) return ctx
  const everything: Grant = { search: null, organizations: null, locations: null }
  const user: Actor = {
    ...SERVICE,
    admin: false,
    organizations: withBelow(ctx.trees.organizations, [id]),
    locations: [...ctx.trees.locations.keys()],
    grants: new Map(GRANTED.map((permission) => [permission, [everything]])),
    places: [{ organizations: [id], locations: null }],
  }
  return { ...ctx, user }
}
