import type { Recorder, Shown } from './recorder.ts'

/** Sends what is about content: keys, collections, views and their versions, subscriptions. */
export async function recordContent(recorder: Recorder): Promise<void> {
  const { make, send } = recorder
  const organization = await make('/api/organizations', { organization: { name: 'Shop' } })
  const inside = { organization_id: organization.id }
  const at = `/content/api/organizations/${organization.id}/environments`
  const library = (await send({ method: 'GET', url: at })).results[0]
  const dev = await make('/content/api/environments', { ...inside, environment: { name: 'Dev', prior_id: library.id } })
  const product = await make('/content/api/products', { ...inside, product: { name: 'Shop server' } })
  const repository = { name: 'base', product_id: product.id, content_type: 'yum', minor: '9.4' }
  await make('/content/api/repositories', { repository })
  const world = { organization: organization.id, inside, library: library.id, dev: dev.id, product: product.id }
  await recordOrganization(recorder, world)
  await recordViews(recorder, world)
  await recordHostsOfContent(recorder, world)
  await recordKeys(recorder, world)
}

interface World {
  readonly organization: number
  readonly inside: { readonly organization_id: number }
  readonly library: number
  readonly dev: number
  readonly product: number
}

async function recordOrganization(
  { record, make, finishTasks }: Recorder,
  { organization, inside }: World,
): Promise<void> {
  const params = { id: organization }
  await record('content_organizations.releases', { params })
  for (const name of ['status', 'eligible'])
    await record(`content_organizations.simple_content_access_${name}`, { params })
  for (const name of ['enable', 'disable'])
    await record(`content_organizations.${name}_simple_content_access`, { params })
  await finishTasks()
  await record('lifecycle_environments.paths', { query: inside })
  const credential = await make('/content/api/content_credentials', {
    ...inside,
    content_credential: { name: 'shop', content_type: 'gpg_key', content: 'a public key' },
  })
  await record('content_credentials.content', { params: { id: credential.id } })
  await record('content_credentials.set_content', {
    params: { id: credential.id },
    body: { content: 'another public key' },
  })
}

async function recordViews(
  { record, make, finishTasks, send }: Recorder,
  { inside, library, dev }: World,
): Promise<void> {
  const view = await make('/content/api/content_views', { ...inside, name: 'Server' })
  const params = { id: view.id }
  await record('content_views.publish', { params, body: { description: 'The first' } })
  await record('tasks.summary')
  await finishTasks()
  const listVersions = async (): Promise<Shown[]> =>
    (await send({ method: 'GET', url: `/content/api/content_view_versions?content_view_id=${view.id}` })).results
  const [version] = await listVersions()
  await record('content_view_versions.promote', { params: { id: version.id }, body: { environment_ids: [dev] } })
  await finishTasks()
  await record('tasks.list')
  const again = await send({ method: 'POST', url: `/content/api/content_views/${view.id}/publish`, payload: {} })
  await record('tasks.cancel', { params: { id: again.uuid } })
  const pairs = await record('content_view_environments.list', { query: inside })
  await record('content_view_environments.show', { params: { id: pairs.results[0].id } })
  await record('content_views.history', { params })
  await record('content_views.copy', { params, body: { name: 'Desktop' } })
  await record('content_views.remove_from_environment', { params: { id: view.id, environment_id: dev } })
  await finishTasks()
  await record('content_views.remove', { params, body: { environment_ids: [library] } })
  await finishTasks()
  const filter = await make('/content/api/content_view_filters', { content_view_id: view.id, name: 'old', type: 'rpm' })
  await record('content_views.remove_filters', { params, body: { filter_ids: [filter.id] } })
  await record('content_view_versions.delete', { params: { id: version.id } })
  await finishTasks()
  await send({ method: 'POST', url: `/content/api/content_views/${view.id}/publish`, payload: {} })
  await finishTasks()
  await send({ method: 'POST', url: `/content/api/content_views/${view.id}/publish`, payload: {} })
  await finishTasks()
  const older = (await listVersions()).at(-1)
  const whole = await make('/content/api/content_views', { ...inside, name: 'Whole', composite: true })
  const below = { content_view_id: whole.id }
  const components = [{ content_view_id: view.id, latest: true }]
  const added = await record('content_view_components.add', { params: below, body: { components } })
  const { id } = added.results[0]
  await record('content_view_components.list', { params: below })
  await record('content_view_components.show', { params: { ...below, id } })
  const newer = (await listVersions())[0]
  const body = { content_view_component: { latest: false, content_view_version_id: newer.id } }
  await record('content_view_components.update', { params: { ...below, id }, body })
  await record('content_view_components.remove', { params: below, body: { component_ids: [id] } })
  const ids = { included: { ids: [older.id] } }
  await record('content_views.bulk_delete_versions', { params, body: { bulk_content_view_version_ids: ids } })
  await finishTasks()
}

async function recordHostsOfContent({ record, make, send }: Recorder, world: World): Promise<void> {
  const { inside, library } = world
  const views = await send({
    method: 'GET',
    url: `/content/api/content_views?organization_id=${inside.organization_id}&search=name+~+Default`,
  })
  const facts = { 'network.hostname': 'shop1.example.test' }
  const place = { lifecycle_environment_id: library, content_view_id: views.results[0].id }
  const host = await record('hosts.register', { body: { name: 'shop1.example.test', ...place, facts } })
  const params = { id: host.id }
  const collection = await make('/content/api/host_collections', { ...inside, name: 'Shop' })
  await record('host_collections.add_hosts', { params: { id: collection.id }, body: { host_ids: [host.id] } })
  await record('host_collections.remove_hosts', { params: { id: collection.id }, body: { host_ids: [host.id] } })
  await record('host_collections.copy', { params: { id: collection.id }, body: { name: 'Second shop' } })
  await record('hosts.host_collections', { params, body: { host_collection_ids: [collection.id] } })
  await record('hosts.product_content', { params, query: { content_access_mode_all: 'true' } })
  const { results } = await send({
    method: 'GET',
    url: `/api/hosts/${host.id}/subscriptions/product_content?content_access_mode_all=true`,
  })
  const label = results[0].content.label
  const content_overrides = [{ content_label: label, name: 'enabled', value: true }]
  await record('hosts.content_override', { params, body: { content_overrides } })
  await recordSubscriptions({ record, send } as Recorder, world, params)
  await record('hosts.unregister', { params })
}

async function recordSubscriptions(
  { record, send }: Recorder,
  { inside }: World,
  params: { id: number },
): Promise<void> {
  await record('subscriptions.csv', { query: inside })
  const at = `/content/api/subscriptions?organization_id=${inside.organization_id}`
  const [pool] = (await send({ method: 'GET', url: at })).results
  const subscriptions = [{ id: pool.id, quantity: 1 }]
  await record('hosts.add_subscriptions', { params, body: { subscriptions } })
  await record('hosts.subscriptions', { params })
  await record('hosts.remove_subscriptions', { params, body: { subscriptions } })
  await record('hosts.auto_attach', { params })
}

async function recordKeys({ record, make, send }: Recorder, { inside }: World): Promise<void> {
  const key = await make('/content/api/activation_keys', { ...inside, name: 'shop' })
  const params = { id: key.id }
  await record('activation_keys.copy', { params, body: { new_name: 'shop-second' } })
  const collection = await make('/content/api/host_collections', { ...inside, name: 'Keys' })
  const body = { host_collection_ids: [collection.id] }
  await record('activation_keys.available_host_collections', { params })
  for (const name of ['add', 'associate', 'remove'])
    await record(`activation_keys.${name}_host_collections`, { params, body })
  const at = `/content/api/subscriptions?organization_id=${inside.organization_id}`
  const [pool] = (await send({ method: 'GET', url: at })).results
  const subscriptions = [{ id: pool.id, quantity: 1 }]
  for (const way of ['', '_by_put']) {
    await record(`activation_keys.add_subscriptions${way}`, { params, body: { subscriptions } })
    await record(`activation_keys.remove_subscriptions${way}`, { params, body: { subscriptions } })
  }
  const contents = await record('activation_keys.product_content', {
    params,
    query: { content_access_mode_all: 'true' },
  })
  const content_label = contents.results[0].content.label
  const content_overrides = [{ content_label, name: 'enabled', value: true }]
  await record('activation_keys.content_override', { params, body: { content_overrides } })
  await record('activation_keys.releases', { params })
  await record('activation_keys.resolve', { query: { keys: 'shop', ...inside } })
  await record('activation_keys.drift', { params })
  await record('activation_keys.reapply', { params, body: { all: true, preview: true } })
}
