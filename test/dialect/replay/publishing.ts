import { isList, isObject, type JsonObject } from './exchanges.ts'
import { numberOf, rowsOf } from './records.ts'
import type { World } from './world.ts'

/** Publishes a version of a view and yields the id of the newest one. */
export async function publish(world: World, kind: string, path: string): Promise<number | null> {
  const view = path.replace(/\/content_view_versions$/, '')
  const { status, text } = await world.ground.send('POST', `${view}/publish`, {})
  if (status >= 300) world.failures.push(`${kind}: ${status} ${text.slice(0, 200)}`)
  const ids = (await listOf(world, path)).map(({ id }) => numberOf(id) ?? 0)
  return ids.length > 0 ? Math.max(...ids) : null
}

/** Lists all records of a list. */
export async function listOf(world: World, path: string): Promise<JsonObject[]> {
  const { body } = await world.ground.send('GET', `${path}?per_page=all`)
  return rowsOf(body)
}

/** Publishes a view that had a version, which then is in the Library. */
export async function publishAsRecorded(
  world: World,
  view: number,
  { latest_version, versions }: JsonObject,
): Promise<void> {
  if (latest_version || (isList(versions) && versions.length > 0)) await publishOnce(world, view)
}

/** Publishes a view that has no version, because it cannot be used without one. */
export async function publishOnce(world: World, view: number): Promise<void> {
  const path = `/katello/api/content_views/${view}/content_view_versions`
  if ((await listOf(world, path)).length === 0) await publish(world, 'content_view_version', path)
}

/** Adds a component to a composite view. */
export async function addComponent(world: World, record: JsonObject, path: string): Promise<number | null> {
  const said: JsonObject = isObject(record.content_view) ? record.content_view : { name: 'Component' }
  const view = numberOf(path.split('/')[4])
  const { body: composite } = await world.ground.send('GET', `/katello/api/content_views/${view}`)
  const organization = isObject(composite) ? numberOf(composite.organization_id) : null
  const content_view_id = await world.ensure('content_view', said, organization === null ? {} : { organization })
  if (content_view_id !== null) await publishOnce(world, content_view_id)
  const { body } = await world.ground.send('PUT', `${path}/add`, { components: [{ content_view_id, latest: true }] })
  return numberOf(rowsOf(body)[0]?.id)
}
