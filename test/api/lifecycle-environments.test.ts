import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const ENVIRONMENTS = '/content/api/environments'

/** Creates an organization and yields the path of its environments. */
async function newOrganization() {
  const organization = await given(api.admin, 'organization')
  const path = `/content/api/organizations/${organization.id}/environments`
  const { body } = await api.admin.get(path)
  const library: Shown = body.results[0]
  return { organization, path, library }
}

/** Creates a chain of environments behind the Library. */
async function chain(organization: Shown, prior: Shown, names: readonly string[]): Promise<Shown[]> {
  const made: Shown[] = []
  for (const name of names) {
    const body = { name, organization_id: organization.id, prior_id: (made.at(-1) ?? prior).id }
    made.push(await given(api.admin, 'lifecycle_environment', body))
  }
  return made
}

async function names(path: string): Promise<string[][]> {
  const { status, body } = await api.admin.get(`${path}/paths`)
  expect(status).toBe(200)
  return body.results.map(({ environments }: Shown) => environments.map(({ name }: Shown) => name))
}

test('an organization begins with its Library, and a new environment says what comes before it', async () => {
  const { organization, path, library } = await newOrganization()
  expect(library).toMatchObject({ name: 'Library', label: 'Library', library: true, prior: null, successor: null })
  expect(library.counts).toMatchObject({ content_hosts: 0, content_views: 0, products: 0, yum_repositories: 0 })
  expect(library.permissions.destroy_lifecycle_environments).toBe(false)
  const { status, body } = await api.admin.post(path, { name: 'First stage', prior_id: library.id })
  expect(status).toBe(201)
  expect(body).toEqual({
    library: false,
    registry_name_pattern: null,
    registry_unauthenticated_pull: false,
    id: expect.any(Number),
    name: 'First stage',
    label: 'First_stage',
    description: null,
    organization_id: organization.id,
    organization: { id: organization.id, name: organization.name, label: organization.name },
    created_at: expect.stringMatching(/ UTC$/),
    updated_at: expect.stringMatching(/ UTC$/),
    prior: { id: library.id, name: 'Library' },
    successor: null,
    counts: { content_hosts: 0, content_views: 0 },
    permissions: {
      create_lifecycle_environments: true,
      view_lifecycle_environments: true,
      edit_lifecycle_environments: true,
      destroy_lifecycle_environments: true,
      promote_or_remove_content_views_to_environments: true,
    },
    content_views: [],
  })
})

describe('chains', () => {
  test('an environment inserted before another takes its position; only the Library branches', async () => {
    const { organization, path, library } = await newOrganization()
    const [dev] = await chain(organization, library, ['Dev', 'Prod'])
    await api.admin.post(path, { name: 'QA', prior: dev?.id })
    await api.admin.post(path, { environment: { name: 'Lab', prior: { id: library.id } } })
    expect(await names(path)).toEqual([
      ['Library', 'Dev', 'QA', 'Prod'],
      ['Library', 'Lab'],
    ])
    const { body } = await api.admin.get(`${path}?search=name=Prod`)
    expect(body.results[0].prior.name).toBe('QA')
    const audits = await api.admin.get(
      '/api/audits?search=type%3Dlifecycle_environment+and+action%3Dupdate&per_page=all',
    )
    expect(audits.body.results.map(({ auditable_name }: Shown) => auditable_name)).toContain('Prod')
  })

  test('two environments created concurrently behind one form a single chain', async () => {
    const { organization, path, library } = await newOrganization()
    const [dev] = await chain(organization, library, ['Dev', 'Prod'])
    const added = ['A', 'B', 'C'].map((name) => api.admin.post(path, { name, prior_id: dev?.id }))
    expect((await Promise.all(added)).map(({ status }) => status)).toEqual([201, 201, 201])
    const [only, ...others] = await names(path)
    expect(others).toEqual([])
    expect([only?.slice(0, 2), only?.slice(2, 5).sort(), only?.at(-1)]).toEqual([
      ['Library', 'Dev'],
      ['A', 'B', 'C'],
      'Prod',
    ])
  })

  test('only chains with something to promote to are promotable, and what is hidden is left out', async () => {
    const { organization, path, library } = await newOrganization()
    await chain(organization, library, ['Dev', 'Prod'])
    await chain(organization, library, ['Lab'])
    const viewer = await api.can(['promote_or_remove_content_views_to_environments'], {
      search: 'name = Prod',
      also: ['view_lifecycle_environments'],
      organization_ids: [organization.id],
    })
    const { body } = await viewer.get(`${path}/paths?permission_type=promotable`)
    expect(body.results).toHaveLength(1)
    expect(body.results[0].environments.map(({ permissions }: Shown) => permissions)).toMatchObject([
      { promote_or_remove_content_views_to_environments: false },
      { promote_or_remove_content_views_to_environments: false },
      { promote_or_remove_content_views_to_environments: true, edit_lifecycle_environments: false },
    ])
    const half = await api.can(['view_lifecycle_environments'], {
      search: 'name = Lab',
      organization_ids: [organization.id],
    })
    const seen = (await half.get(`${path}/paths`)).body.results
    expect(seen.map(({ environments }: Shown) => environments.map(({ name }: Shown) => name))).toEqual([['Lab']])
    expect((await viewer.get(`${path}/paths?permission_type=some`)).status).toBe(400)
  })
})

describe('refusals', () => {
  test('a new environment needs a prior one of its organization, and a name and label of its own', async () => {
    const { path, library } = await newOrganization()
    const other = await newOrganization()
    const missing = await api.admin.post(path, { name: 'Dev' })
    expect([missing.status, missing.body]).toEqual([
      400,
      { displayMessage: 'Missing values for prior_id.', errors: ['Missing values for prior_id.'] },
    ])
    const foreign = await api.admin.post(path, { name: 'Dev', prior_id: other.library.id })
    expect([foreign.status, foreign.body.displayMessage]).toEqual([
      404,
      `Couldn't find environment '${other.library.id}'`,
    ])
    expect((await api.admin.post(path, { name: 'Dev', prior_id: 999_999 })).body.displayMessage).toBe(
      "Couldn't find environment '999999'",
    )
    const taken = await api.admin.post(path, { name: 'Library', prior_id: library.id })
    expect([taken.status, taken.body.displayMessage]).toEqual([
      422,
      'Validation failed: Name of environment must be unique within one organization',
    ])
    const label = await api.admin.post(path, { name: 'Dev', label: 'Library', prior_id: library.id })
    expect(label.body.errors).toEqual({ label: ['of environment must be unique within one organization'] })
    expect((await api.admin.post(path, { name: ' Dev', prior_id: library.id })).body.errors).toEqual({
      name: ['must not contain leading or trailing white spaces.'],
    })
  })

  test('the Library keeps its name, and nothing changes its place', async () => {
    const { organization, path, library } = await newOrganization()
    const [dev, prod] = await chain(organization, library, ['Dev', 'Prod'])
    const renamed = await api.admin.put(`${path}/${library.id}`, { environment: { new_name: 'Main' } })
    expect([renamed.status, renamed.body.errors]).toEqual([422, { name: ['of the Library cannot be changed.'] }])
    expect((await api.admin.put(`${path}/${library.id}`, { description: 'First' })).body.description).toBe('First')
    const moved = await api.admin.put(`${path}/${prod?.id}`, { prior_id: library.id })
    expect([moved.status, moved.body.errors]).toEqual([422, { prior_id: ['cannot be changed.'] }])
    const changed = await api.admin.put(`${path}/${dev?.id}`, {
      environment: { new_name: 'Development', label: 'No label at all!', registry_unauthenticated_pull: 'yes' },
    })
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { name: 'Development', label: 'Dev', registry_unauthenticated_pull: true, successor: { name: 'Prod' } },
    ])
    // Sending a record back unchanged changes nothing.
    const again = await api.admin.put(`${path}/${dev?.id}`, { environment: changed.body })
    expect([again.status, again.body]).toEqual([200, changed.body])
  })

  test('environments in use cannot be deleted: the Library, the middle of a chain, and those of hosts or keys', async () => {
    const { organization, path, library } = await newOrganization()
    const [dev, prod] = await chain(organization, library, ['Dev', 'Prod'])
    const refusal = async (id: number | undefined) => {
      const { status, body } = await api.admin.delete(`${path}/${id}`)
      return [status, body.displayMessage]
    }
    expect(await refusal(library.id)).toEqual([400, 'Library lifecycle environments may not be deleted.'])
    expect(await refusal(dev?.id)).toEqual([
      400,
      'Lifecycle Environment Dev has a successor. Only the last lifecycle environment on a path can be deleted.',
    ])
    const key = { name: unique('key'), organization_id: organization.id, environment_id: prod?.id }
    const { body: created } = await api.admin.post('/content/api/activation_keys', key)
    expect(await refusal(prod?.id)).toEqual([
      400,
      'Lifecycle Environment Prod has associated Activation Keys. Please change or remove the associated Activation Keys before removing this lifecycle environment.',
    ])
    await sql`delete from activation_keys where id = ${created.id}`.execute(api.database.db)
    expect((await api.admin.delete(`${path}/${prod?.id}`)).status).toBe(200)
    expect((await api.admin.delete(`${ENVIRONMENTS}/${dev?.id}`)).status).toBe(200)
    expect(await names(path)).toEqual([['Library']])
  })
})

test('lists are searched and filtered, and show only what the caller may see', async () => {
  const { organization, path, library } = await newOrganization()
  await chain(organization, library, ['Dev', 'Prod'])
  const found = async (query: string) => {
    const { body } = await api.admin.get(`${path}?${query}`)
    return body.results.map(({ name }: Shown) => name)
  }
  expect(await found('library=true')).toEqual(['Library'])
  expect(await found('name=Dev')).toEqual(['Dev'])
  expect(await found('search=library%3Dfalse&sort_by=name&sort_order=desc')).toEqual(['Prod', 'Dev'])
  expect(await found(`search=label%3DProd+and+organization_id%3D${organization.id}`)).toEqual(['Prod'])
  const { body } = await api.admin.get(`${ENVIRONMENTS}?organization_id=${organization.id}&per_page=1&name=Prod`)
  expect(body).toMatchObject({ total: 1, selectable: 1, error: null, sort: { by: 'name', order: 'asc' } })

  const stranger = await api.can(['view_lifecycle_environments'], {
    organization_ids: [(await given(api.admin, 'organization')).id],
  })
  const hidden = await stranger.get(`${ENVIRONMENTS}/${library.id}`)
  expect([hidden.status, hidden.body.errors]).toEqual([
    404,
    [
      `Could not find lifecycle_environment resource with id ${library.id}. Potential missing permissions: view_lifecycle_environments`,
    ],
  ])
})
