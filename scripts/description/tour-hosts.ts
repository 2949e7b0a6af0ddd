import type { Recorder } from './recorder.ts'

/** Sends what is about hosts, how they are classified and installed, and their runs. */
export async function recordHosts(recorder: Recorder): Promise<void> {
  await recordTemplates(recorder)
  await recordFacts(recorder)
  await recordClassification(recorder)
  await recordRuns(recorder)
  await recordInstallation(recorder)
}

async function recordTemplates({ record, make, send }: Recorder): Promise<void> {
  const texts = {
    ptable: 'layout',
    provisioning_template: 'template',
    report_template: 'template',
    webhook_template: 'template',
  } as const
  for (const [word, text] of Object.entries(texts)) {
    const plural = `${word}s`
    const kind = word === 'provisioning_template' ? { template_kind_id: 1 } : {}
    const one = await make(`/api/${plural}`, { [word]: { name: 'Disk', [text]: 'zerombr', ...kind } })
    const params = { id: one.id }
    await record(`${plural}.clone`, { params, body: { [word]: { name: 'Large disk' } } })
    await record(`${plural}.export`, { params })
    const head = HEADS[word]
    const template = `<%#\nname: Small disk\n${head}\n%>\nclearpart --all\n`
    await record(`${plural}.import`, { body: { [word]: { template } } })
    const search = `type = ${word} and auditable_id = ${one.id}`
    const { results } = await send({ method: 'GET', url: `/api/audits?search=${encodeURIComponent(search)}` })
    await record(`${plural}.revision`, { query: { version: results[0].id } })
  }
}

const HEADS: Readonly<Record<string, string>> = {
  ptable: 'model: Ptable',
  provisioning_template: 'model: ProvisioningTemplate\nkind: provision',
  report_template: 'model: ReportTemplate',
  webhook_template: 'model: WebhookTemplate',
}

async function recordReports({ record, make }: Recorder, host: number): Promise<void> {
  const template = '<% load_hosts.each_record do |host| report_row(name: host.name) end %><%= report_render %>'
  const { id } = await make('/api/report_templates', { report_template: { name: 'Hosts', template } })
  await record('report_templates.generate', { params: { id }, body: { report_format: 'csv' } })
  const asked = await record('report_templates.schedule_report', { params: { id }, body: { report_format: 'csv' } })
  await record('report_templates.report_data', { params: { id, job_id: asked.job_id } })
  await record('playbook_inventories.schedule', { body: { input_values: { Hosts: 'name ~ web', Facts: 'no' } } })
  await record('playbook_inventories.hosts', { query: { host_ids: host } })
  await record('playbook_inventories.hosts_by_body', { body: { host_ids: [host] } })
}

async function recordFacts(recorder: Recorder): Promise<void> {
  const { record, make } = recorder
  const facts = { operatingsystem: 'Debian', operatingsystemrelease: '12.5', memorysize_mb: '16384' }
  const host = await record('hosts.facts', { body: { name: 'web1.example.test', facts } })
  await record('hosts.facts_of_one', { params: { id: host.id } })
  await recordReports(recorder, host.id)
  await record('hosts.get_status', { params: { id: host.id, type: 'configuration' } })
  await record('hosts.forget_status', { params: { id: host.id, type: 'configuration' } })
  const template = 'name: <%= @host.name %>'
  await record('hosts.render', { params: { id: host.id }, body: { template } })
  await record('hosts.template_names', { params: { id: host.id } })
  await record('fact_values.list', { query: { search: 'name = memorysize_mb' } })
  await make('/api/config_reports', {
    config_report: {
      ...{ host: 'web1.example.test', reported_at: '2026-03-31T14:00:00Z' },
      ...{ status: { applied: 1 }, metrics: {} },
    },
  })
  await record('config_reports.last')
  await make('/api/hosts', { host: { name: 'old1.example.test', managed: false } })
  await record('hosts.delete_found', { query: { search: 'name ~ old' } })
}

async function recordClassification({ record, make, send }: Recorder): Promise<void> {
  const { results } = await send({ method: 'GET', url: '/api/smart_class_parameters' })
  const [parameter] = results
  const configclass_id = (await send({ method: 'GET', url: `/api/smart_class_parameters/${parameter.id}` }))
    .configclass_id
  const environment_id = (await send({ method: 'GET', url: '/api/environments?search=name=example' })).results[0].id
  const group = await make('/api/hostgroups', { hostgroup: { name: 'web', environment_id } })
  const host = await make('/api/hosts', {
    host: { name: 'web2.example.test', managed: false, hostgroup_id: group.id, environment_id },
  })
  await record('playbook_inventories.hostgroups', { query: { hostgroup_ids: group.id } })
  await record('playbook_inventories.hostgroups_by_body', { body: { hostgroup_ids: [group.id] } })
  for (const [plural, { id }] of Object.entries({ hosts: host, hostgroups: group })) {
    await record(`${plural}.add_configclass_id`, { params: { id }, body: { configclass_id } })
    await record(`${plural}.list_configclass_ids`, { params: { id } })
  }
  await record('hosts.enc', { params: { id: host.id } })
  await record('hosts.classification', { params: { id: host.id } })
  await record('hosts.what_if', { body: { name: 'web3.example.test', attributes: { hostgroup_id: group.id } } })
  await record('smart_class_parameters.explain', { params: { id: parameter.id }, query: { host_id: host.id } })
  // Nothing has that operating system, so that there is something to find.
  const at = `/api/smart_class_parameters/${parameter.id}`
  await send({ method: 'PUT', url: at, payload: { smart_class_parameter: { override: true } } })
  await make(`${at}/override_values`, { override_value: { match: 'os=Plan9 4', value: '80' } })
  await record('smart_class_parameters.lint')
  await make(`${at}/override_values`, { override_value: { match: `hostgroup=${group.title}`, value: '81' } })
  await record('smart_class_parameters.winners', { params: { id: parameter.id } })
  await record('hostgroups.what_if', { params: { id: group.id }, body: { hostgroup: { name: 'website' } } })
  await record('hosts.remove_configclass_id', { params: { id: host.id, configclass_id } })
  await record('hostgroups.remove_configclass_id', { params: { id: group.id, configclass_id } })
  await record('hostgroups.clone', { params: { id: group.id }, body: { hostgroup: { name: 'mail' } } })
  await make(`/api/hosts/${host.id}/parameters`, { parameter: { name: 'role', value: 'web' } })
  await record('parameters.reset', { params: { operatingsystem_id: 1, host_id: host.id } })
}

/** What does a configuration run here: it prints the name of the host. */
export const PRINTING = '/bin/echo'

async function recordRuns({ record, make, send, finishRuns }: Recorder): Promise<void> {
  await send({ method: 'PUT', url: '/api/settings/configrun', payload: { setting: { value: true } } })
  const proxy = await make('/api/smart_proxies', {
    smart_proxy: {
      name: 'runs',
      url: 'http://127.0.0.1:1',
      runner: 'command',
      runner_command: [PRINTING, 'applied to'],
    },
  })
  const body = { host: { name: 'db1.example.test', managed: false, config_proxy_id: proxy.id } }
  const host = await make('/api/hosts', body)
  await record('smart_proxies.add_machine', { params: { id: proxy.id, host_id: host.id } })
  await record('smart_proxies.remove_machine', { params: { id: proxy.id, host_id: host.id } })
  await record('hosts.configrun', { params: { id: host.id } })
  const findNewestRun = async () => (await send({ method: 'GET', url: '/api/config_runs?order=id+desc' })).results[0].id
  await finishRuns()
  await record('config_runs.output', { params: { id: await findNewestRun() } })
  await send({ method: 'PUT', url: `/api/hosts/${host.id}/configrun`, payload: {} })
  await record('config_runs.cancel', { params: { id: await findNewestRun() } })
  const rollout = await make('/api/config_rollouts', {
    config_rollout: { search: 'name = db1.example.test', parallel: 1 },
  })
  await record('config_rollouts.cancel', { params: { id: rollout.id } })
}

async function recordInstallation({ record, make, send }: Recorder): Promise<void> {
  const subnet = await make('/api/subnets', {
    subnet: { name: 'office', network: '192.0.2.128', mask: '255.255.255.192', ipam: 'Internal DB' },
  })
  await record('subnets.freeip', { params: { id: subnet.id } })
  await record('subnets.lint')
  const medium = await make('/api/media', { medium: { name: 'Mirror', path: 'http://mirror.example.test/debian' } })
  const architecture = await send({ method: 'GET', url: '/api/architectures/x86_64' })
  const provisioning_template = {
    name: 'Debian',
    template: 'd-i netcfg/hostname <%= @host.name %>',
    template_kind_id: 1,
  }
  const template = await make('/api/provisioning_templates', { provisioning_template })
  const debian = { name: 'Debian', major: '12', family: 'Debian', release_name: 'bookworm' }
  const linked = {
    medium_ids: [medium.id],
    architecture_ids: [architecture.id],
    provisioning_template_ids: [template.id],
  }
  const os = await make('/api/operatingsystems', { operatingsystem: { ...debian, ...linked } })
  const query = { medium: medium.name, architecture: architecture.name }
  await record('operatingsystems.bootfiles', { params: { id: os.id }, query })
  const os_default_template = { template_kind_id: 1, provisioning_template_id: template.id }
  await make(`/api/operatingsystems/${os.id}/os_default_templates`, { os_default_template })
  const host = {
    name: 'mail1.example.test',
    managed: false,
    operatingsystem_id: os.id,
    architecture_id: architecture.id,
  }
  const { id } = await make('/api/hosts', { host })
  const kinds = await send({ method: 'GET', url: '/api/template_kinds?order=id' })
  await record('hosts.template', { params: { id, kind: kinds.results[0].name } })
  await record('hosts.templates', { params: { id } })
}
