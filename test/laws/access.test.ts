import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { row } from '../../src/database/sql.ts'
import { permissionOf } from '../../src/kernel/authorize.ts'
import { routesOf } from '../../src/kernel/routes.ts'
import type { Route } from '../../src/requests/route.ts'
import { sql } from '../../src/sql.ts'
import type { Caller, Reply } from '../support/api.ts'
import {
  ASKED_BY_ORGANIZATION,
  given,
  leastBody,
  pathOf,
  resourceNamed,
  type Shown,
  segmentOf,
  wrapped,
} from '../support/given.ts'
import { recordNotFound } from './refusals.ts'
import { names, subjects, turns } from './subjects.ts'
import { openWorld, type World } from './world.ts'

let world: World
let callers: readonly Able[] = []
let guarded: readonly Route[] = []
let nobodySpecial: Caller
beforeAll(async () => {
  world = await openWorld()
  guarded = world.api.routes.filter(({ access }) => access.kind === 'permission')
  callers = everyAbility()
  nobodySpecial = await world.limited([])
}, 120_000)
afterAll(() => world?.api[Symbol.asyncDispose]())

/** A caller and their permissions. */
interface Able {
  readonly called: string
  readonly caller: () => Promise<Caller>
  readonly permissions: ReadonlySet<string>
}

type Guarded = Extract<Route['access'], { kind: 'permission' }>

/** Creates callers who may do one thing with all records, and callers who may do all things with one kind of record. */
function everyAbility(): Able[] {
  const all = [...new Set(guarded.flatMap(({ access }) => (access.kind === 'permission' ? access.anyOf : [])))]
  const groups = [
    ...Map.groupBy(all, (name) => name.replace(/_.*/, '')),
    ...Map.groupBy(all, (name) => name.replace(/^[a-z]+_/, '')),
  ]
  return groups.map(([called, permissions]) => {
    let made: Promise<Caller> | undefined // when the first route asks for it, so that no step takes long
    const caller = () => {
      made ??= world.limited(permissions)
      return made
    }
    return { called, caller, permissions: new Set(permissions) }
  })
}

/** Yields an additional permission that a route requires: to see what an import, a copy or a hypothetical host reads. */
function furtherFor({ id }: Route): string | undefined {
  if (id.endsWith('provisioning_templates.clone')) return 'view_provisioning_templates'
  if (id.endsWith('report_templates.clone')) return 'view_report_templates'
  if (id.endsWith('webhook_templates.clone')) return 'view_webhook_templates'
  if (id.endsWith('ptables.clone')) return 'view_ptables'
  const copied = /(?:^|\.)(activation_keys|content_views|host_collections)\.copy$/.exec(id)
  if (id.endsWith('activation_keys.reapply')) return 'view_activation_keys'
  if (copied) return `view_${copied[1]}`
  // A setting decides what the end of a registration requires.
  if (id.endsWith('hosts.unregister')) return 'edit_hosts'
  if (id.endsWith('hosts.what_if')) return 'view_external_parameters'
  return id.includes('.import_configclasses') ? 'view_smart_proxies' : undefined
}

/** The groups of routes; those without a resource come last. */
const GROUPS = [...new Set(routesOf(assembleResources()).map(({ group }) => group))]
const NO_RESOURCE = 'no resource'
/** Permissions that were tested with all callers: all routes check permissions alike. */
const asked = new Set<string>()

describe.each([...GROUPS, NO_RESOURCE])('the routes of %s', (group) => {
  const routes = () =>
    world.api.routes.filter((route) => (GROUPS.includes(route.group) ? route.group : NO_RESOURCE) === group)

  test('refuse callers who do not say who they are, but for the public ones', async () => {
    for (const route of routes().filter(({ access }) => access.kind !== 'public')) {
      const { status, body } = await request(world.api.nobody, route)
      expect({ route: route.id, status, body }).toEqual({
        route: route.id,
        status: 401,
        body: { error: { message: 'Unable to authenticate user ' } },
      })
    }
  })

  test('refuse callers without their permission, and them only', async () => {
    for (const route of routes()) {
      const { access } = route
      if (access.kind !== 'permission') continue
      // Callers with other permissions are tested once for each permission.
      const others = asked.has(String(access.anyOf)) ? [] : callers
      asked.add(String(access.anyOf))
      const nobody = { called: 'nothing', caller: async () => nobodySpecial, permissions: new Set<string>() }
      for (const able of [...telling(access.anyOf, others), nobody]) await expectAnswer(able, route, access)
    }
  })
})

async function expectAnswer({ called, caller, permissions }: Able, route: Route, access: Guarded): Promise<void> {
  const { status, body } = await request(await caller(), route)
  const may = access.own || access.anyOf.some((name) => permissions.has(name) || OF_EVERYBODY.has(name))
  const further = furtherFor(route)
  const refusal = (names: readonly string[]) => ({ route: route.id, called, status: 403, body: missing(names) })
  // A missing parent is reported before the additional permission is checked.
  if (may && further && !permissions.has(further) && status !== 404)
    expect({ route: route.id, called, status, body }).toEqual(refusal([further]))
  else if (may)
    expect({ route: route.id, called, refused: status === 403 && !access.own }).toEqual({
      route: route.id,
      called,
      refused: false,
    })
  else expect({ route: route.id, called, status, body }).toEqual(refusal(access.anyOf))
}

/** What the default role grants. */
const OF_EVERYBODY = new Set(['view_bookmarks'])

/** Chooses callers who have the action for everything, other actions on this record, and neither. */
function telling(permissions: readonly string[], among: readonly Able[]): readonly Able[] {
  const words = permissions.flatMap((name) => [name.replace(/_.*/, ''), name.replace(/^[a-z]+_/, '')])
  const others = among.filter(({ called }) => !words.includes(called))
  return [...callers.filter(({ called }) => words.includes(called)), ...others.filter((_, index) => index % 4 === 0)]
}

test('refusals say nothing of the service', async () => {
  const [route] = guarded
  if (!route) throw new Error('no route asks for a permission')
  for (const reply of [await request(world.api.nobody, route), await request(nobodySpecial, route)]) {
    expect(Object.keys(reply.headers).filter((header) => header.startsWith('millwright'))).toEqual([])
  }
})

function missing(permissions: readonly string[]) {
  return {
    error: {
      message: 'Access denied',
      details: `Missing one of the required permissions: ${permissions.join(', ')}`,
      missing_permissions: [...permissions],
    },
  }
}

/** Requests a route about records that do not exist, in the organization and location of all callers here. */
function request(caller: Caller, { method, path }: Route): Promise<Reply> {
  const url = path
    .replace(':organization_id', String(world.organization))
    .replace(':location_id', String(world.location))
    .replace(/:\w+/g, '999999')
  return caller.send({ method, url, headers: { 'content-type': 'application/json' }, payload: '{}' })
}

const shown = turns('show')

/**
 * Tells whether a resource is part of another: such records are visible with that one, and filters have no conditions on
 * them.
 */
const isPart = (name: string) => Boolean(resourceNamed(name).partOf)

describe.each(shown.filter(isPart))('%s', (name) => {
  test('is seen where what it is a part of is', async () => {
    const resource = resourceNamed(name)
    const view = permissionOf(resource, 'view')
    const { path } = await someRecords(name)
    const { body: page } = await (await world.limited([view])).get(path)
    const [hidden] = page.results
    const whole = resource.placed.find((placed) => placed.name === resource.partOf)
    const found = await row<{ id: number }>(
      world.api.database.db,
      sql`select ${sql.ref(whole?.column?.name ?? '')} as id from ${sql.table(resource.table)} where id = ${hidden.id}`,
    )
    const blind = await world.limited([view], `id != ${found?.id}`)
    expect(await ask(blind, 'GET', path, hidden)).toEqual(notFound(name, hidden.id, 'view'))
    const { body } = await blind.get(`${path}?per_page=all`)
    expect(body.results.map(({ id }: Shown) => id)).not.toContain(hidden.id)
    expect((await ask(await world.limited([view], `id = ${found?.id}`), 'GET', path, hidden)).status).toBe(200)
  })
})

describe.each(shown.filter((name) => !isPart(name)))('%s', (name) => {
  const resource = resourceNamed(name)
  const verbs = [
    ['GET', 'show', 'view'],
    ['PUT', 'update', 'edit'],
    ['DELETE', 'delete', 'destroy'],
  ] as const
  const possible = verbs.filter(([, operation]) => resource.operations.includes(operation))

  test.each(possible)('%s finds only what a filter leaves', async (method, _operation, verb) => {
    const { path, hidden, others } = await someRecords(name)
    const caller = await world.limited([`${verb}_${resource.permission}`], `id != ${hidden.id}`, ALSO_NEEDED[name])
    if (name in NAMED_FOR_OTHERS) others.push(hidden)
    else expect(await ask(caller, method, path, hidden)).toEqual(notFound(name, hidden.id, verb))
    const status = FOUND[`${method} ${name}`] ?? 200
    for (const visible of others) expect(await ask(caller, method, path, visible)).toMatchObject({ status })
    expect((await ask(world.api.admin, 'GET', path, hidden)).status).toBe(200)
  })
})

/** Statuses of existing records for which an empty body is refused. */
const FOUND: Readonly<Record<string, number>> = { 'PUT setting': 422 }

/** Further permissions: filters may only be changed by those who have what they grant; tokens are found below users. */
const ALSO_NEEDED: Readonly<Record<string, readonly string[]>> = {
  filter: ['escalate_roles'],
  personal_access_token: ['view_users'],
  config_run: ['view_hosts'],
  config_report: ['view_hosts'],
  class_import: ['view_smart_proxies'],
}

/** Resources whose filters' conditions are about other records. */
const NAMED_FOR_OTHERS: Readonly<Record<string, string>> = { permission: 'who sees filters sees what they grant' }

describe.each(turns('delete'))('%s', (name) => {
  const resource = resourceNamed(name)

  test('exactly the permissions of a resource are enough to create, show, update and delete its records', async () => {
    const verbs = (['create', 'view', 'edit', 'destroy'] as const).map((verb) => permissionOf(resource, verb))
    const assigning = resource.taxable === true ? ASSIGNING : []
    const caller = await world.limited([...new Set(verbs), ...assigning, ...(NEEDED_TO_WRITE[name] ?? [])])
    const inside = world.inside(resource)
    const least = await leastBody(world.api.admin, name, inside)
    const path = pathOf(resource, world.organization)
    const made = await caller.post(path, wrapped(resource, { ...least, ...inside }))
    expect(made, made.text).toMatchObject({ status: 201 })
    const { secret: _onlyOnce, ...shown } = made.body
    const { id } = shown
    expect((await ask(caller, 'GET', path, { id })).body).toEqual(shown)
    expect(await ask(caller, 'PUT', path, { id })).toEqual({ status: 200, body: shown })
    expect((await caller.get(`${path}?${AS_LIST}&search=id=${id}`)).body).toMatchObject({
      subtotal: 1,
      results: [{ id }],
    })
    expect(await ask(caller, 'DELETE', path, { id })).toMatchObject({ status: 200, body: { id } })
    expect((await ask(world.api.admin, 'GET', path, { id })).status).toBe(404)
  })
})

/** The parameter with which lists that are objects otherwise become lists; other routes ignore it. */
const AS_LIST = 'style=list'

/** Permissions that the sent body requires, besides those of the resource. */
const NEEDED_TO_WRITE: Readonly<Record<string, readonly string[]>> = {
  filter: ['escalate_roles'],
}

/** Permissions for putting a record into organizations and locations. */
const ASSIGNING = ['assign_organizations', 'assign_locations']

const scoped = subjects('delete')
  .filter(({ name }) => turns('delete').includes(name))
  // A caller outside of the organization of a request gets 404.
  .filter(({ name }) => !ASKED_BY_ORGANIZATION.has(name))
  .filter(
    ({ name, taxable }) =>
      taxable === true ||
      taxable === 'own' ||
      taxable === 'organization' ||
      name === 'organization' ||
      name === 'location',
  )

describe.each(scoped.map(({ name }) => name))('%s', (name) => {
  const resource = resourceNamed(name)
  const path = pathOf(resource)
  const permission = (verb: string) => `${verb}_${resource.permission}`

  test.each(['GET', 'PUT', 'DELETE'] as const)('%s finds only what is in the scope of the caller', async (method) => {
    const caller = await world.limited([permission('view'), permission('edit'), permission('destroy')])
    const outside = await given(world.api.admin, name)
    const inside = await given(world.api.admin, name, world.inside(resource))
    expect(await ask(caller, method, path, outside)).toEqual(notFound(name, outside.id, VERBS[method]))
    expect((await ask(caller, method, path, inside)).status).toBe(200)
    expect((await ask(world.api.admin, 'GET', path, outside)).status).toBe(200)
  })
})

/** Creates records that a member sees where possible; one of them is to be hidden. */
async function someRecords(name: string): Promise<{ path: string; hidden: Shown; others: Shown[] }> {
  const resource = resourceNamed(name)
  const { admin } = world.api
  const path = resource.nestedOnly ? await tokensPath() : pathOf(resource, world.organization)
  if (names('create').includes(name)) {
    const inside = world.inside(resource)
    for (let count = 0; count < 3; count++)
      await admin.post(path, wrapped(resource, { ...(await leastBody(admin, name, inside)), ...inside }))
  }
  const { body } = await admin.get(`${path}?${AS_LIST}&per_page=3&order=${encodeURIComponent('id desc')}`)
  const [hidden, ...others] = body.results
  return { path, hidden, others }
}

/** Yields a path whose user's id differs from those of the tokens, which the same condition hides. */
async function tokensPath(): Promise<string> {
  const user = await given(world.api.admin, 'user', world.inside(resourceNamed('user')))
  return `/api/users/${user.id}/personal_access_tokens`
}

async function ask(caller: Caller, method: 'GET' | 'PUT' | 'DELETE', path: string, { id }: Shown) {
  const resource = subjects('show').find(
    (one) => path === one.path || path.endsWith(`/${one.path.slice(one.path.lastIndexOf('/') + 1)}`),
  )
  const { status, body } = await caller.send({
    method,
    url: `${path}/${resource ? segmentOf(resource, id) : id}`,
    headers: { 'content-type': 'application/json' },
    payload: '{}',
  })
  return { status, body }
}

const VERBS = { GET: 'view', PUT: 'edit', DELETE: 'destroy' } as const

function notFound(name: string, id: number, verb: (typeof VERBS)[keyof typeof VERBS]) {
  return { status: 404, body: recordNotFound(resourceNamed(name), id, verb) }
}
