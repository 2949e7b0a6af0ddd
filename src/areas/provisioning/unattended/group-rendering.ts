import { asService, type Context, hasPermission, withRollback } from '../../../context.ts'
import { parentNotFound } from '../../../errors.ts'
import {
  createRecord,
  findResource,
  limitToVisible,
  permissionOf,
  type Registry,
  type Resource,
  readDraft,
  selectRecord,
  validate,
} from '../../../kernel/index.ts'
import { admitReveal, recordReveals } from '../../access/index.ts'
import { renderTemplate } from './host-rendering.ts'
import { loadOptions } from './viewed-options.ts'

/** A name that no real host has. */
const NAME = 'preview.invalid'

/**
 * Renders what a new host of a group would get of a template: the host is created and rolled back. The caller has to
 * see group and template; secrets are shown to those who may edit the group and reveal those of hosts. {@throws Failure} not_found; invalid
 */
export async function renderForGroup(
  ctx: Context,
  registry: Registry,
  template: string,
  group: string,
): Promise<string> {
  const hosts = findResource(registry, 'host')
  const hostgroups = findResource(registry, 'hostgroup')
  const templates = findResource(registry, 'provisioning_template')
  const chosen = await findVisible(ctx, templates, template, ['id', 'name', 'template'])
  const { id: hostgroup_id } = await findVisible(ctx, hostgroups, group, ['id'])
  const editable = limitToVisible(ctx, hostgroups, permissionOf(hostgroups, 'edit'))
  const id = Number(hostgroup_id)
  const isRevealed =
    hasPermission(ctx, 'reveal_hosts') && (await selectRecord(ctx.db, hostgroups, ['id'], id, editable))
  const secrets = Boolean(isRevealed) && (await admitReveal(ctx, false))
  if (secrets) await recordReveals(ctx, hostgroups, [id])
  return withRollback(ctx, async (tx) => {
    const { organization, location } = ctx.scope
    const sent = { name: NAME, managed: false, hostgroup_id, organization_id: organization, location_id: location }
    const draft = await readDraft(tx, hosts, await validate(tx, hosts, sent), null)
    const host = await createRecord(asService(tx), hosts, draft)
    const options = await loadOptions(tx, hosts, host, secrets)
    const source = { name: String(chosen.name), template: String(chosen.template) }
    return renderTemplate(tx, host, source, options)
  })
}

async function findVisible(ctx: Context, resource: Resource, segment: string, keys: readonly string[]) {
  const seen = limitToVisible(ctx, resource, permissionOf(resource, 'view'))
  const found = await selectRecord(ctx.db, resource, keys, segment, seen)
  if (!found) throw parentNotFound(resource.name, segment)
  return found
}
