import { fillCollection } from './content.ts'
import { type Exchange, isObject, type Json } from './exchanges.ts'
import { kindOf } from './kinds.ts'
import { listOf } from './publishing.ts'
import { numberOf, requestedLabel } from './records.ts'
import type { Target } from './routes.ts'
import type { Around, World } from './world.ts'

/** Recreates what made a request fail: users of the record, others with its name, invalid values. */
export async function makeObstacle(
  world: World,
  { request }: Exchange,
  { steps, prefix }: Target,
  said: string,
  around: Around,
): Promise<void> {
  const last = steps.at(-1)
  const kind = last ? kindOf(last.collection, prefix) : ''
  const id = around[kind]
  if (said.includes('is used by') && kind === 'architecture') {
    await world.ground.send('POST', '/api/hostgroups', { hostgroup: { name: 'Common', architecture_id: id } })
  }
  if (said.includes('is used by') && kind === 'provisioning_template' && id !== undefined) {
    for (const [, name = '', major = '', minor = ''] of said.matchAll(/is used by (\w+) (\d+)\.(\d+)/g)) {
      const system = await world.ensure('operatingsystem', { name, major, minor, title: `${name} ${major}.${minor}` })
      if (system !== null) await useTemplate(world, system, id)
    }
  }
  if (said.includes('nested host groups')) {
    await world.ground.send('POST', '/api/hostgroups', { hostgroup: { name: `below ${id}`, parent_id: id } })
  }
  if (said.includes('already been taken') && last) {
    await world.ensure(kind, { name: requestedLabel(kind, request) })
  }
  if (said.includes('number of hosts associated')) await fillCollection(world, id)
  const parameter = around.smart_class_parameter
  if (said.includes('Lookup values is invalid') && parameter !== undefined) {
    const override_value = { match: 'os=fake', value: 'neither this nor that' }
    const list = `/foreman_puppet/api/smart_class_parameters/${parameter}/override_values`
    await world.ground.send('POST', list, { override_value })
  }
  if (said.includes('Override must be true')) {
    const smart_class_parameter = { override: false }
    await world.ground.send('PUT', `/foreman_puppet/api/smart_class_parameters/${parameter}`, { smart_class_parameter })
  }
  if (said.includes('Unable to communicate with the proxy') && kind === 'smart_proxy') {
    const { body } = await world.ground.send('GET', `/api/smart_proxies/${id}`)
    if (isObject(body)) world.ground.silenceProxy(String(body.url))
  }
}

/** Makes the template the default of an operating system, in place of its present one. */
async function useTemplate(world: World, system: number, provisioning_template_id: number): Promise<void> {
  const list = `/api/operatingsystems/${system}/os_default_templates`
  const { body } = await world.ground.send('GET', `/api/provisioning_templates/${provisioning_template_id}`)
  const template_kind_id: Json = isObject(body) ? (body.template_kind_id ?? null) : null
  const taken = (await listOf(world, list)).find((each) => each.template_kind_id === template_kind_id)
  const os_default_template = { provisioning_template_id, template_kind_id }
  const [method, path] = taken ? ['PUT', `${list}/${numberOf(taken.id)}`] : ['POST', list]
  await world.ground.send(String(method), String(path), { os_default_template })
}
