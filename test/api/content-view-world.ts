import { expect } from 'vitest'
import { sql } from '../../src/sql.ts'
import type { TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

export const VIEWS = '/content/api/content_views'
export const VERSIONS = '/content/api/content_view_versions'

/** An organization with a product, three repositories, and environments Dev and Prod behind the Library. */
export interface ContentWorld {
  readonly organization: Shown
  readonly library: Shown
  readonly dev: Shown
  readonly prod: Shown
  readonly repositories: readonly Shown[]
  /** Creates a view of the organization. */
  readonly view: (body?: Body) => Promise<Shown>
  /** Publishes the view and yields the new version. */
  readonly publish: (view: Shown, body?: Body) => Promise<Shown>
  /** Creates another view and publishes it. */
  readonly published: (body?: Body) => Promise<{ readonly view: Shown; readonly version: Shown }>
  readonly promote: (version: Shown, environments: readonly Shown[], body?: Body) => Promise<Shown>
}

/** Creates an organization with all of these. */
export async function contentWorld(api: TestApi): Promise<ContentWorld> {
  const organization = await given(api.admin, 'organization')
  const { body } = await api.admin.get(`/content/api/organizations/${organization.id}/environments`)
  const library: Shown = body.results[0]
  const inside = { organization_id: organization.id }
  const dev = await given(api.admin, 'lifecycle_environment', { ...inside, name: 'Dev', prior_id: library.id })
  const prod = await given(api.admin, 'lifecycle_environment', { ...inside, name: 'Prod', prior_id: dev.id })
  const product = await given(api.admin, 'product', inside)
  const repositories: Shown[] = []
  for (const name of ['base', 'extras', 'tools'])
    repositories.push(await given(api.admin, 'repository', { name, product_id: product.id, content_type: 'yum' }))

  const view = (more: Body = {}) => given(api.admin, 'content_view', { ...inside, name: unique('view'), ...more })
  const publish = async (of: Shown, more: Body = {}) => {
    const { output } = await done(api, await api.admin.post(`${VIEWS}/${of.id}/publish`, more))
    return (await api.admin.get(`${VERSIONS}/${output.content_view_version_id}`)).body
  }
  return {
    ...{ organization, library, dev, prod, repositories, view, publish },
    published: async (more = {}) => {
      const made = await view({ repository_ids: [repositories[0]?.id], ...more })
      return { view: made, version: await publish(made) }
    },
    promote: async (version, environments, more = {}) => {
      const environment_ids = environments.map(({ id }) => id)
      await done(api, await api.admin.post(`${VERSIONS}/${version.id}/promote`, { environment_ids, ...more }))
      return (await api.admin.get(`${VERSIONS}/${version.id}`)).body
    },
  }
}

/** Waits until the task of an answer has succeeded, and yields it. */
export async function done(api: TestApi, answer: { status: number; body: Shown; text: string }): Promise<Shown> {
  const task = await ended(api, answer)
  expect(task).toMatchObject({ result: 'success', progress: 1, humanized: { errors: [] } })
  return task
}

/** Waits until the task of an answer has ended in any way, and yields it. */
export async function ended(api: TestApi, { status, body, text }: { status: number; body: Shown; text: string }) {
  expect([status, text]).toEqual([202, text])
  await api.finishTasks()
  return (await api.admin.get(`/api/tasks/${body.id}`)).body as Shown
}

/** Creates a host with these pairs of views and environments, in this order. */
export async function hostWith(
  api: TestApi,
  pairs: readonly (readonly [view: Shown, environment: Shown])[],
): Promise<Shown> {
  const host = await given(api.admin, 'host')
  for (const [position, [view, environment]] of pairs.entries())
    await sql`insert into host_environments (host_id, position, content_view_id, environment_id)
      values (${host.id}, ${position}, ${view.id}, ${environment.id})`.execute(api.database.db)
  return host
}
