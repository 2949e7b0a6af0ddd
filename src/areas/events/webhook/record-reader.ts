import { type Context, hasPermission } from '../../../context.ts'
import {
  applyShown,
  createPresenter,
  findResource,
  limitToVisible,
  permissionOf,
  type Registry,
  type Row,
  selectRecord,
} from '../../../kernel/index.ts'
import { isMembers, type Members } from '../../../lib/values.ts'
import { createReader, type HostObject, type HostValue } from '../../../templates/index.ts'
import type { CloudEvent } from '../feed/cloud-event.ts'

/** Loads the record of an event as `@object`: as the reader sees it now, or as it was before its deletion. */
export async function loadObject(ctx: Context, registry: Registry, { data }: CloudEvent): Promise<HostObject> {
  const { resource: name, id, name: label } = data.record
  const past = Object.entries(data.changes).map(([field, [before, after]]) => [field, after ?? before])
  const members = (id === null ? null : await loadShown(ctx, registry, name, id)) ?? Object.fromEntries(past)
  return toReader(name, { name: label, ...members, id })
}

async function loadShown(ctx: Context, registry: Registry, name: string, id: number): Promise<Row | null> {
  const resource = findResource(registry, name)
  const permission = permissionOf(resource, 'view')
  if (!hasPermission(ctx, permission)) return null
  const { show } = resource.views
  const found = await selectRecord(ctx.db, resource, show, id, limitToVisible(ctx, resource, permission))
  if (!found) return null
  const [record] = await applyShown(ctx, resource, [createPresenter(resource, show, 'iso')(found)], {})
  return record ?? null
}

function toReader(name: string, members: Members): HostObject {
  const readMethods = () =>
    Object.fromEntries(Object.entries(members).map(([key, value]) => [key, toValue(key, value)]))
  return createReader(name, readMethods, String(members.name ?? members.id ?? name))
}

function toValue(key: string, value: unknown): HostValue {
  if (Array.isArray(value)) return value.map((each) => toValue(key, each))
  if (isMembers(value)) return toReader(key, value)
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return String(value)
}
