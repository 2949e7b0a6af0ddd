import type { Context } from '../context.ts'
import { rows } from '../database/sql.ts'
import { findResource, type Resource } from '../kernel/index.ts'
import { idOf, isMembers, type Members, membersOf, readObjects } from '../lib/values.ts'
import type { Route } from '../requests/route.ts'
import { sql } from '../sql.ts'
import type { Body } from './adapt.ts'
import { BY_HAND } from './by-hand.ts'
import type { Kind } from './kinds.ts'
import type { Working } from './working.ts'

/** Where a record is: its kind, and the record that it belongs to. */
export interface Spot {
  readonly kind: Kind
  readonly resource: Resource
  /** The id of the record of `kind.below` here. */
  readonly parent: number | null
}

/** The records of this service, read and written by its own routes: with their rules and audits. */
export interface OwnRecords {
  /** Yields the record, or null when it is gone. */
  readonly show: (ctx: Context, spot: Spot, id: number) => Promise<Members | null>
  readonly list: (ctx: Context, spot: Spot) => Promise<readonly Members[]>
  readonly create: (ctx: Context, spot: Spot, body: Body) => Promise<number>
  readonly update: (ctx: Context, spot: Spot, id: number, body: Body) => Promise<void>
  readonly remove: (ctx: Context, spot: Spot, id: number) => Promise<void>
}

/** Routes that have other names than the resource. */
const CREATED_BY: Readonly<Record<string, string>> = { organization: 'content_organizations' }

const HEADERS = { prefer: 'return=representation' }

/** Finds the routes of each kind. */
export function createOwnRecords({ routes, registry }: Pick<Working, 'routes' | 'registry'>): OwnRecords {
  const routeOf = ({ kind, resource }: Spot, operation: string, above: string | undefined): Route | undefined => {
    const plural = operation === 'create' ? (CREATED_BY[kind.name] ?? resource.plural) : resource.plural
    const prefix = above ? `${findResource(registry, above).plural}.` : ''
    return routes.get(`${prefix}${plural}.${operation}`)
  }
  const call = async (
    ctx: Context,
    spot: Spot,
    operation: string,
    id: number | null,
    sent: { body?: Body; query?: Members },
  ) => {
    const above = spot.kind.partOf ?? (operation === 'list' ? spot.kind.below : undefined)
    const route = routeOf(spot, operation, above) ?? routeOf(spot, operation, undefined)
    if (!route) throw new Error(`${spot.kind.name} has no route to ${operation}`)
    const params = {
      ...(id !== null && { id: String(id) }),
      ...(above && spot.parent !== null && { [`${findResource(registry, above).word}_id`]: String(spot.parent) }),
    }
    const { body } = await route.handle(ctx, {
      params,
      query: sent.query ?? {},
      body: sent.body ?? {},
      headers: HEADERS,
    })
    return membersOf(body)
  }
  return {
    show: async (ctx, spot, id) => {
      if (!routeOf(spot, 'show', spot.kind.partOf)) return null
      const [there] = await rows(ctx.db, sql`select from ${sql.table(spot.resource.table)} where id = ${id}`)
      return there ? call(ctx, spot, 'show', id, { query: HIDDEN }) : null
    },
    list: async (ctx, spot) => {
      const { results } = await call(ctx, spot, 'list', null, { query: { per_page: 'all' } })
      return isMembers(results)
        ? Object.values(results).flat().filter(isMembers)
        : (readObjects({ results }, 'results') ?? [])
    },
    create: async (ctx, spot, body) => {
      const make = BY_HAND[spot.kind.name]?.create
      if (make) return make(ctx, spot.resource, body)
      return idOf(await call(ctx, spot, 'create', null, { body: wrap(spot, body) }))
    },
    update: async (ctx, spot, id, body) => {
      const update = BY_HAND[spot.kind.name]?.update
      if (update) return update(ctx, spot.resource, id, body)
      await call(ctx, spot, 'update', id, { body: wrap(spot, body) })
    },
    remove: async (ctx, spot, id) => {
      const remove = BY_HAND[spot.kind.name]?.remove
      if (remove) return remove(ctx, spot.resource, id)
      await call(ctx, spot, 'delete', id, {})
    },
  }
}

const HIDDEN = { show_hidden: 'true', show_hidden_parameters: 'true' }

function wrap({ resource: { word, surface } }: Spot, body: Body): Body {
  return surface === 'content' ? { ...body } : { [word]: { ...body } }
}
