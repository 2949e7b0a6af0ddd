import { pino } from 'pino'
import { SHARED } from '../../src/areas/configuration/override-value/within-reach.ts'
import { assembleResources } from '../../src/areas/index.ts'
import { loadTrees } from '../../src/areas/places/index.ts'
import { openProxyContacts } from '../../src/areas/proxies/contacts.ts'
import { openFollowers } from '../../src/areas/runs/followers.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Actor, Context, Grant } from '../../src/context.ts'
import type { Database } from '../../src/database/database.ts'
import { openRowCounts } from '../../src/database/row-counts.ts'
import { row } from '../../src/database/sql.ts'
import { countStatements } from '../../src/database/statements.ts'
import { openDirectories } from '../../src/directory/directories.ts'
import { encryptionOf } from '../../src/encryption/encryption.ts'
import type { Registry, Resource } from '../../src/kernel/definition.ts'
import { permissionsOf } from '../../src/kernel/routes.ts'
import { createRelyingParty } from '../../src/openid/relying-party.ts'
import { NO_REFERENCES } from '../../src/references/references.ts'
import type { Answer, Input, Route } from '../../src/requests/route.ts'
import { errorFormOf } from '../../src/requests/surface.ts'
import { openApi } from '../../src/service/service.ts'
import { loadSettings } from '../../src/settings/settings.ts'
import { sql } from '../../src/sql.ts'
import { storeImported } from './imported.ts'
import { formatIndexes } from './indexes.ts'
import { openRecorder, type Recorded } from './recorder.ts'
import { createBody, REPORTING_HOST, SAMPLES, searchOf, updateBody } from './samples.ts'
import { recordActions } from './tour.ts'
import { PRINTING } from './tour-hosts.ts'

/** The statements of one operation with one caller. */
export interface Experiment {
  readonly title: string
  readonly route: Route
  readonly statements: readonly string[]
  /** The request: parameters of the path, query and body. */
  readonly input: Partial<Input>
  readonly answer: Answer
}

/** A service with its own database, whose operations can be executed and observed. */
export interface Laboratory extends AsyncDisposable {
  readonly registry: Registry
  readonly routes: readonly Route[]
  /** Runs every operation of a resource, as an administrator and as a user with limited permissions. */
  readonly tryOut: (resource: Resource) => Promise<Experiment[]>
  readonly formatIndexes: () => Promise<string>
  /** Sends everything else through the front door, as an administrator. */
  readonly recordActions: () => Promise<ReadonlyMap<string, Recorded>>
}

/** Opens a laboratory on a migrated database, which it fills with samples. */
export async function openLaboratory(database: Database): Promise<Laboratory> {
  const env = { MILLWRIGHT_DATA_DIR: 'memory', MILLWRIGHT_ADMIN_PASSWORD: 'not a secret' }
  const config = readConfig([], { ...env, MILLWRIGHT_RUN_COMMANDS: PRINTING }, () => '')
  const api = await openApi(database, config, quiet)
  const { server, routes } = api
  const registry = assembleResources()
  const bench = await openBench(database, routes, registry)
  return {
    registry,
    routes,
    tryOut: async (resource) => [
      ...(await runExperiments(bench, resource, 'an administrator', bench.admin)),
      ...(await runExperiments(bench, resource, 'a limited user', buildLimitedActor(bench, resource))),
    ],
    formatIndexes: () => formatIndexes(database.db),
    async recordActions() {
      const administrator = { login: 'guide', password: 'not a secret', admin: true }
      await make(bench, 'user', administrator)
      const credentials = `${administrator.login}:${administrator.password}`
      const recorder = openRecorder(api, database, `Basic ${btoa(credentials)}`)
      const searched = [...registry.values()].filter((resource) => has(bench, resource, 'auto_complete_search'))
      await recordActions(recorder, searched)
      return recorder.recorded
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

const quiet = pino({ level: 'silent' })

interface Bench {
  readonly routes: readonly Route[]
  readonly registry: Registry
  readonly admin: Actor
  readonly run: (
    route: Route,
    actor: Actor,
    input: Partial<Input>,
  ) => Promise<{ answer: Answer; texts: readonly string[] }>
  /** Yields the next number, for unique names. */
  readonly next: () => number
  /** The organization of the samples. */
  organization: number
  location: number
  /** The user with limited permissions. */
  limited: number
}

async function openBench(database: Database, routes: readonly Route[], registry: Registry): Promise<Bench> {
  const settings = { ...(await loadSettings(database.db)), configrun: true }
  const encryption = encryptionOf({ encryptionKeyFile: null, databaseUrl: null, dataDir: 'memory' })
  const directories = openDirectories()
  const openid = createRelyingParty(() => null)
  const followers = await openFollowers(database)
  const found = await row<{ id: number }>(database.db, sql`select id from users where admin`)
  const admin = buildActor({ id: found?.id ?? 0, login: 'admin', name: 'admin', admin: true })
  let number = 0
  const bench: Bench = {
    routes,
    registry,
    admin,
    next: () => ++number,
    organization: 0,
    location: 0,
    limited: 0,
    run: async (route, user, input) => {
      const ctx: Context = {
        db: database.db,
        user,
        // Lists of content require an organization.
        scope: {
          organization: errorFormOf(route.path) === 'content' ? bench.organization : null,
          location: null,
          named: false,
        },
        trees: await loadTrees(database.db),
        origin: { requestId: 'explain', address: null, secure: false, session: null, login: 'password' },
        settings,
        encryption,
        directories,
        openid,
        references: NO_REFERENCES,
        lockout: { check: async () => {}, fail: async () => {} },
        passwordMemoryMiB: 32,
        proxies: { tls: {}, commands: [], contacts: openProxyContacts() },
        followers,
        counts: openRowCounts(100),
        now: () => new Date('2026-03-31T14:25:36Z'),
        log: quiet,
        afterCommit: (effect) => void effect(),
      }
      const work = () => route.handle(ctx, { params: {}, query: {}, body: {}, ...input })
      const { result, texts } = await countStatements(work)
      return { answer: result, texts }
    },
  }
  bench.organization = await make(bench, 'organization')
  bench.location = await make(bench, 'location')
  bench.limited = await make(bench, 'user')
  const proxy = await make(bench, 'smart_proxy')
  await storeImported(database.db, proxy)
  await make(bench, 'host', { name: REPORTING_HOST, config_proxy_id: proxy })
  await make(bench, 'config_rollout')
  await make(bench, 'repository')
  return bench
}

function buildActor(given: Pick<Actor, 'id' | 'login' | 'name' | 'admin'> & Partial<Actor>): Actor {
  return { disabled: false, timezone: null, organizations: [], locations: [], grants: new Map(), ...given }
}

/** Builds an actor with every permission, but those of the resource for some of its records only. */
function buildLimitedActor({ registry, organization, location, limited }: Bench, resource: Resource): Actor {
  const grants = new Map<string, Grant[]>()
  for (const { name, resourceType } of permissionsOf(registry)) {
    // Permissions beyond the holder's organizations and locations only count without conditions.
    const own = resourceType === resource.type && !Object.values<string>(SHARED).includes(name)
    const organizations = own && resource.taxable !== false && resource.taxable !== 'when_named' ? [organization] : null
    grants.set(name, [{ search: own ? searchOf(resource) : null, organizations, locations: null }])
  }
  const places = { organizations: [organization], locations: [location] }
  return buildActor({ id: limited, login: 'limited', name: 'limited', admin: false, grants, ...places })
}

/** Creates a record as an administrator and yields its id; that of the first existing one where none can be created. */
async function make(
  bench: Bench,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
  author = bench.admin,
): Promise<number> {
  const resource = bench.registry.get(name)
  if (!resource) throw new Error(`there is no resource ${name}`)
  if (!has(bench, resource, 'create')) {
    const { answer } = await bench.run(routeOf(bench, resource, 'list'), bench.admin, {})
    return firstIdOf(resource, answer)
  }
  const body = { ...(await buildBody(bench, resource)), ...more }
  const { answer } = await bench.run(routeOf(bench, resource, 'create'), author, {
    params: await createParents(bench, resource),
    body: { [resource.word]: body },
  })
  return idOf(answer)
}

async function buildBody(bench: Bench, resource: Resource): Promise<Record<string, unknown>> {
  const body = await createBody(resource, (parent) => make(bench, parent), bench.next())
  if (!resource.taxable || bench.location === 0) return body
  if (resource.taxable === 'organization') return { ...body, organization_id: bench.organization }
  if (resource.taxable === 'own') return { ...body, organization_id: bench.organization, location_id: bench.location }
  return { ...body, organization_ids: [bench.organization], location_ids: [bench.location] }
}

/** Yields the path parameters of a resource that exists only below others. */
async function createParents(bench: Bench, resource: Resource, user = bench.admin): Promise<Record<string, string>> {
  const [parent] = resource.nestedOnly ? Object.keys(resource.parents) : []
  if (!parent) return {}
  // Only its owner sees a webhook.
  const author = parent === 'webhook' ? user : bench.admin
  return { [`${parent}_id`]: `${parent === 'user' ? bench.limited : await make(bench, parent, {}, author)}` }
}

function has({ routes }: Bench, { plural }: Resource, operation: string): boolean {
  return routes.some(({ group, id }) => group === plural && id.endsWith(`${plural}.${operation}`))
}

function routeOf({ routes }: Bench, { plural }: Resource, operation: string): Route {
  const found = routes.find((route) => route.group === plural && route.id.endsWith(`${plural}.${operation}`))
  if (!found) throw new Error(`${plural} has no route ${operation}`)
  return found
}

/** Resources whose records only administrators create, whatever permissions others have. */
const BY_ADMINISTRATORS = new Set(['user_identity'])

async function runExperiments(bench: Bench, resource: Resource, who: string, user: Actor): Promise<Experiment[]> {
  const params = await createParents(bench, resource, user)
  const done: Experiment[] = []
  const attempt = async (operation: string, what: string, input: Partial<Input>): Promise<Answer> => {
    const route = routeOf(bench, resource, operation)
    const given = { ...input, params: { ...params, ...input.params } }
    const { answer, texts } = await bench.run(route, user, given)
    done.push({ title: `${what}, as ${who}`, route, statements: texts, input: given, answer })
    return answer
  }
  const first = await attempt('list', 'list', { query: {} })
  const query = { search: searchOf(resource), order: SAMPLES[resource.name]?.order ?? 'id DESC' }
  await attempt('list', `list with search=${query.search} and order=${query.order}`, { query })
  const creates = has(bench, resource, 'create') && (user.admin || !BY_ADMINISTRATORS.has(resource.name))
  const given = creates ? await buildBody(bench, resource) : {}
  const made = creates ? await attempt('create', 'create', { body: { [resource.word]: given } }) : null
  if (!['show', 'update', 'delete'].some((operation) => has(bench, resource, operation))) return done
  // Records that are created together with others may be missing.
  if (!made && SAMPLES[resource.name]?.id === undefined && isEmpty(first)) return done
  const id = made ? String(idOf(made)) : (SAMPLES[resource.name]?.id ?? String(firstIdOf(resource, first)))
  if (has(bench, resource, 'show')) await attempt('show', 'show', { params: { id } })
  if (made) await listAgain(bench, user, done)
  const shown = (made?.body ?? {}) as Readonly<Record<string, unknown>> // a record
  const { namedBy } = SAMPLES[resource.name] ?? {}
  const named = namedBy === undefined ? { id } : { [namedBy]: String(shown[namedBy]) }
  const body = { [resource.word]: updateBody(resource, bench.next()) }
  if (has(bench, resource, 'update')) await attempt('update', 'update', { params: named, body })
  const deletes = made || resource.operations.includes('delete')
  if (deletes && has(bench, resource, 'delete')) await attempt('delete', 'delete', { params: named })
  return done
}

/** Has the lists answered with what is there by now. */
async function listAgain(bench: Bench, user: Actor, done: Experiment[]): Promise<void> {
  for (const [at, experiment] of done.entries()) {
    if (!experiment.title.startsWith('list')) continue
    const { answer } = await bench.run(experiment.route, user, experiment.input)
    done[at] = { ...experiment, answer }
  }
}

function idOf({ status, body }: Answer): number {
  const { id } = (body ?? {}) as { id?: number } // every resource shows its id
  if (status >= 300 || id === undefined) throw new Error(`no record came back: ${JSON.stringify(body)}`)
  return id
}

function isEmpty({ body }: Answer): boolean {
  const { results } = body as { readonly results?: readonly unknown[] } // the envelope of lists
  return results?.length === 0
}

function firstIdOf({ name }: Resource, { body }: Answer): number {
  const { results = [] } = body as { results?: { id: number }[] } // the envelope of lists
  const [first] = results
  if (!first) throw new Error(`there is no ${name} to look at: name one in samples.ts`)
  return first.id
}
