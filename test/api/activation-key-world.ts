import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, type Reply, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

export const KEYS = '/content/api/activation_keys'

/** An organization with its Library and default view, and functions that create what keys refer to. */
export interface KeyWorld {
  readonly organization: Shown
  readonly library: number
  readonly defaultView: number
  /** Creates a key of the organization. */
  readonly key: (body?: Body) => Promise<Shown>
  readonly show: (key: Pick<Shown, 'id'>) => Promise<Shown>
  /** Changes a key; the answer is the record. */
  readonly change: (key: Pick<Shown, 'id'>, body: Body) => Promise<Reply>
  /** Creates an environment behind the Library. */
  readonly environment: (name?: string) => Promise<Shown>
  /** Creates a view that has a version in these environments. */
  readonly view: (name: string, environments: readonly number[]) => Promise<number>
  /** Creates a content of a new product, with a repository of that release, and yields its label. */
  readonly content: (body?: {
    readonly release?: string
  }) => Promise<{ label: string; product: number; repository: number }>
  /** Creates a pool; from then on the organization's keys may have pools. */
  readonly pool: (body?: Body) => Promise<Shown>
  /** Creates a host that is registered with the key. */
  readonly registered: (key: Pick<Shown, 'id'>, name?: string) => Promise<Shown>
  /** Lists the audits of changes of the key, the newest first. */
  readonly changes: (key: Pick<Shown, 'id'>) => Promise<Shown[]>
}

/**
 * Builds the world by inserting rows: publishing views, content of repositories and registration by certificates have tests
 * of their own.
 */
export async function keyWorld(api: TestApi, organization?: Shown): Promise<KeyWorld> {
  const { admin, database } = api
  const ours = organization ?? (await given(admin, 'organization'))
  const { id } = ours
  const inserted = async (statement: ReturnType<typeof sql>): Promise<number> => {
    const found = await row<{ id: number }>(database.db, statement)
    if (!found) throw new Error('nothing was inserted')
    return found.id
  }
  const library = await inserted(sql`select id from lifecycle_environments where organization_id = ${id} and library`)
  const defaultView = await inserted(sql`select id from content_views where organization_id = ${id} and "default"`)
  const pair = (view: number, environment: number, version: number) =>
    inserted(sql`insert into content_view_environments (content_view_id, environment_id, content_view_version_id)
      values (${view}, ${environment}, ${version}) returning content_view_id as id`)

  return {
    organization: ours,
    library,
    defaultView,
    key: (body = {}) =>
      expectCreated(admin.post(KEYS, { organization_id: id, activation_key: { name: unique('key'), ...body } })),
    show: async (key) => (await admin.get(`${KEYS}/${key.id}`)).body,
    change: (key, body) =>
      admin.put(
        `${KEYS}/${key.id}`,
        { organization_id: id, activation_key: body },
        { prefer: 'return=representation' },
      ),
    environment: (name = unique('environment')) =>
      expectCreated(
        admin.post('/content/api/environments', { organization_id: id, environment: { name, prior_id: library } }),
      ),
    async view(name, environments) {
      const view = await inserted(
        sql`insert into content_views (organization_id, name) values (${id}, ${name}) returning id`,
      )
      const version = await inserted(
        sql`insert into content_view_versions (content_view_id, major) values (${view}, 1) returning id`,
      )
      for (const environment of environments) await pair(view, environment, version)
      return view
    },
    async content({ release } = {}) {
      const label = unique('content')
      const product = await inserted(
        sql`insert into products (organization_id, cp_id, name) values (${id}, ${unique('77')}, ${unique('product')}) returning id`,
      )
      const content = await inserted(sql`insert into contents (organization_id, name, label, content_type, content_url)
        values (${id}, ${label}, ${label}, 'yum', ${`/custom/${label}`}) returning id`)
      await inserted(
        sql`insert into product_contents (product_id, content_id) values (${product}, ${content}) returning product_id as id`,
      )
      const repository = await inserted(sql`insert into repositories (product_id, content_id, name, content_type, minor)
        values (${product}, ${content}, ${label}, 'yum', ${release ?? null}) returning id`)
      return { label, product, repository }
    },
    async pool(body = {}) {
      await sql`update organizations set content_access_mode = 'entitlement' where id = ${id}`.execute(database.db)
      const { product_id = null, multi_entitlement = false, support_level = null, name = unique('pool') } = body
      const pool =
        await inserted(sql`insert into subscriptions (organization_id, name, product_id, multi_entitlement, support_level)
        values (${id}, ${name}, ${product_id}, ${multi_entitlement}, ${support_level}) returning id`)
      const { cp_id } =
        (await row<{ cp_id: string }>(database.db, sql`select cp_id from subscriptions where id = ${pool}`)) ?? {}
      return { id: pool, cp_id, name }
    },
    async registered(key, name = unique('host')) {
      const host = await given(admin, 'host', { name: `${name}.test`, organization_id: id, location_id: 1 })
      await sql`insert into registrations (host_id, uuid, serial, certificate, expires_at, last_checkin)
        values (${host.id}, gen_random_uuid(), ${String(host.id)}, 'none', now() + interval '1 day', now()) on conflict do nothing`.execute(
        database.db,
      )
      await sql`insert into activation_key_hosts (activation_key_id, host_id, position) values (${key.id}, ${host.id}, 0)`.execute(
        database.db,
      )
      return host
    },
    async changes(key) {
      const search = encodeURIComponent(`type = activation_key and auditable_id = ${key.id} and action = update`)
      return (await admin.get(`/api/audits?search=${search}&order=${encodeURIComponent('id desc')}`)).body.results
    },
  }
}

/** Yields the messages of a refusal by field. */
export async function refused(sent: Promise<Reply>): Promise<unknown> {
  const { status, body } = await sent
  return [status, body?.errors ?? body]
}
