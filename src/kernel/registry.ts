import type { Context } from '../context.ts'
import type { Registry, Resource } from './resource.ts'

/** The resource of that name. {@throws Error} where none is declared, which is a mistake of the program */
export function findResource(registry: Registry, name: string): Resource {
  const found = registry.get(name)
  if (!found) throw new Error(`there is no resource named ${name}`)
  return found
}

/** Yields the context of the service at work for a request: it may write what the caller may not. Audits name the caller. */
export function asService(ctx: Context): Context {
  return { ...ctx, user: { ...ctx.user, admin: true, lent: ctx.user.lent ?? !ctx.user.admin } }
}

/** Yields the context of the service, of no organization or location: what it writes says itself where it belongs. */
export function asTrustedService(ctx: Context): Context {
  return { ...asService(ctx), scope: { organization: null, location: null, named: false } }
}
