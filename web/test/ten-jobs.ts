import { expect } from 'vitest'
import { keyWorld } from '../../test/api/activation-key-world.ts'
import type { RunsWorld } from '../../test/api/configrun-world.ts'
import { expectCreated } from '../../test/support/api.ts'
import { importedParameter } from '../../test/support/classification.ts'
import type { TestDirectory } from '../../test/support/directories/index.ts'
import { given } from '../../test/support/given.ts'
import type { Mouse } from './clicks.ts'

// Ten jobs of every day, each from the dashboard to its end.

interface Job {
  readonly world: RunsWorld
  readonly mouse: Mouse
  readonly directory: TestDirectory | null
}

/** Creates the hosts, groups and records that the jobs are about. */
export async function seedJobs(world: RunsWorld): Promise<void> {
  const { admin } = world.api
  const environments = [
    await given(admin, 'environment', { name: 'jobs' }),
    await given(admin, 'environment', { name: 'jobs_later' }),
  ]
  const environment_ids = environments.map(({ id }) => id)
  const configclass = await given(admin, 'configclass', { name: 'jobs_server', environment_ids })
  const classified = { environment_id: environment_ids[0], configclass_ids: [configclass.id] }
  const group = await given(admin, 'hostgroup', { name: 'Frontends', ...classified })
  await given(admin, 'hostgroup', { name: 'Backends', ...classified, environment_id: environment_ids[1] })
  const columns = { override: true, parameter_type: 'integer' }
  await importedParameter(world.api, { configclass, parameter: 'job_workers', default_value: '2', columns })
  for (let n = 1; n <= 20; n++) await given(admin, 'host', { name: `rack${n}.jobs.test`, hostgroup_id: group.id })
  const status = { applied: 0, restarted: 0, failed: 1, failed_restarts: 0, skipped: 0, pending: 0 }
  const reported_at = new Date().toISOString()
  const config_report = { host: 'rack7.jobs.test', reported_at, status, metrics: {}, logs: [] }
  await expectCreated(admin.post('/api/config_reports', { config_report }))
  await given(admin, 'usergroup', { name: 'Night watch' })
  await given(admin, 'provisioning_template', { name: 'Message of the day', template: 'Welcome' })
}

/** The job that needs a directory server. */
export const OF_A_DIRECTORY = 'let a group of a directory in'

export const JOBS: Readonly<Record<string, (job: Job) => Promise<void>>> = {
  'find broken hosts': async ({ mouse: { page, click } }) => {
    await click(page.getByRole('link', { name: /^Error/ }))
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'rack7.jobs.test', exact: true }) })
    await row.getByText('Error: Failed changes in last run').waitFor()
  },
  'why has a parameter this value': async ({ mouse: { page, click, goTo } }) => {
    await goTo('rack2.jobs', /^rack2\.jobs\.test/)
    await click(page.getByRole('tab', { name: 'Classes' }))
    await click(page.getByRole('button', { name: /^job_workers/ }))
    const candidates = page.getByRole('grid', { name: 'Candidates for job_workers' })
    await candidates.getByRole('row').filter({ hasText: 'Default' }).getByText('applied', { exact: true }).waitFor()
  },
  'a host like another one': async ({ world, mouse: { page, click, goTo, type } }) => {
    await goTo('rack2.jobs', /^rack2\.jobs\.test/)
    await click(page.getByRole('button', { name: 'Clone', exact: true }))
    await page.getByRole('button', { name: 'Remove Frontends', exact: true }).waitFor()
    await type(page.locator('#field-name'), 'rack21.jobs.test')
    await click(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('heading', { level: 1, name: 'rack21.jobs.test' }).waitFor()
    const { body } = await world.api.admin.get('/api/hosts/rack21.jobs.test')
    expect(body).toMatchObject({ hostgroup_title: 'Frontends', environment_name: 'jobs', mac: null })
    await world.api.admin.delete(`/api/hosts/${body.id}`)
  },
  'change a parameter of a group, with a preview': async ({ mouse: { page, click, goTo, type } }) => {
    await goTo('job_workers', /^job_workers/)
    const matchers = page.getByRole('region', { name: 'Matchers', exact: true })
    await type(matchers.getByRole('combobox', { name: 'Match' }), 'hostgroup=Frontends')
    await type(matchers.getByRole('textbox', { name: 'Value' }), '8')
    await click(matchers.getByRole('button', { name: 'Preview changes' }))
    await matchers.getByText('20', { exact: false }).first().waitFor()
    await click(matchers.getByRole('button', { name: 'Save', exact: true }))
    await matchers.getByRole('link', { name: '20: hosts with the value of hostgroup=Frontends' }).waitFor()
  },
  [OF_A_DIRECTORY]: async ({ directory, mouse: { page, click, goTo, type, choose } }) => {
    if (!directory) return
    const field = (key: string) => page.locator(`#field-${key}`)
    const goOn = () => click(page.getByRole('button', { name: 'Test and continue' }))
    await goTo('create directory', 'Create Directory')
    await type(field('name'), 'Job directory')
    await type(field('host'), directory.host)
    await type(field('port'), String(directory.port))
    await goOn()
    await type(field('account'), directory.serviceAccount.dn)
    await type(field('account_password'), directory.serviceAccount.password)
    await goOn()
    await type(field('base_dn'), directory.usersBase)
    await goOn()
    await type(field('groups_base'), directory.groupsBase)
    await goOn()
    await page.getByText('People can log in with these values').waitFor()
    await click(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('heading', { level: 1, name: 'Job directory' }).waitFor()
    await type(page.getByLabel('Group in the directory'), 'Engineering')
    await choose(page.getByRole('combobox', { name: 'User group' }), 'Night', 'Night watch')
    await click(page.getByRole('button', { name: 'Link group' }))
    await page.getByRole('link', { name: 'Engineering', exact: true }).waitFor()
  },
  'a key for five, and who used it': async ({ world, mouse: { page, click, goTo, type, choose } }) => {
    await goTo('create activation', 'Create Activation key')
    await choose(page.locator('#field-organization_id'), 'Default', 'Default Organization')
    await type(page.locator('#field-name'), 'five')
    await type(page.locator('#field-max_hosts'), '5')
    await click(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('heading', { level: 1, name: 'five', exact: true }).waitFor()
    const organization = (await world.api.admin.get('/api/organizations/1')).body
    const keys = await keyWorld(world.api, organization)
    await keys.registered({ id: Number(new URL(page.url()).pathname.split('/').at(-1)) }, 'used.jobs')
    await page.reload()
    await click(page.getByRole('link', { name: '1 of 5 hosts' }))
    await page.getByRole('link', { name: 'used.jobs.test', exact: true }).waitFor()
  },
  'change a template, and see it on a host': async ({ world, mouse: { page, click, goTo, type, choose } }) => {
    await goTo('Message of', /^Message of the day/)
    await click(page.getByRole('link', { name: 'Edit' }))
    await choose(page.getByRole('combobox', { name: 'Host', exact: true }), 'rack3.', 'rack3.jobs.test')
    await type(page.getByRole('textbox', { name: 'Template', exact: true }), 'Welcome to <%= @host.name %>')
    await page
      .getByRole('region', { name: 'Rendered text', exact: true })
      .getByText('Welcome to rack3.jobs.test')
      .waitFor()
    await click(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('heading', { level: 1, name: 'Message of the day', exact: true }).waitFor()
    const { body } = await world.api.admin.get('/api/provisioning_templates?search=name+~+Message')
    expect((await world.api.admin.get(`/api/provisioning_templates/${body.results[0].id}`)).body.template).toMatch(
      /^Welcome to/,
    )
  },
  'read rights for a colleague': async ({ world, mouse: { page, click, goTo, type, choose } }) => {
    await goTo('create user', /^Create User(?!\s?group)/)
    await type(page.locator('#field-login'), 'colleague')
    await type(page.locator('#field-password'), 'long enough')
    await choose(page.locator('#field-role_ids'), 'Viewer', 'Viewer')
    await choose(page.locator('#field-organization_ids'), 'Default', 'Default Organization')
    await click(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('heading', { level: 1, name: 'colleague' }).waitFor()
    const caller = world.api.as({ authorization: `Basic ${btoa('colleague:long enough')}` })
    expect((await caller.get('/api/hosts')).status).toBe(200)
    expect((await caller.post('/api/hosts', { host: { name: 'no.jobs.test' } })).status).toBe(403)
  },
  'take back a change': async ({ world, mouse: { page, click, goTo } }) => {
    const { admin } = world.api
    const path = '/api/hosts/rack5.jobs.test'
    for (const comment of ['as it should be', 'a mistake'])
      expect((await admin.put(path, { host: { comment } })).status).toBe(200)
    await goTo('rack5.jobs', /^rack5\.jobs\.test/)
    await click(page.getByRole('tab', { name: 'History' }))
    await click(page.getByRole('button', { name: /^Put back: rack5/ }).first())
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('row').filter({ hasText: 'a mistake' }).getByText('as it should be').waitFor()
    await click(dialog.getByRole('button', { name: 'Put back', exact: true }))
    await dialog.waitFor({ state: 'detached' })
    expect((await admin.get(path)).body.comment).toBe('as it should be')
  },
  'move twenty hosts': async ({ world, mouse: { page, click, choose, enter } }) => {
    await click(page.getByRole('navigation').getByRole('link', { name: 'Hosts', exact: true }))
    await page.getByRole('link', { name: 'rack1.jobs.test', exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.insertText('name ~ rack and name ~ jobs.test')
    await page.keyboard.press('Escape')
    await enter()
    await page.waitForURL(/search=/)
    await click(page.getByRole('checkbox', { name: 'Select all on this page' }))
    await click(page.getByRole('button', { name: '20 selected', exact: true }))
    await click(page.getByRole('menuitem', { name: 'Move to a host group' }))
    const dialog = page.getByRole('dialog')
    await choose(dialog.locator('#field-hostgroup_id'), 'Backends', 'Backends')
    await dialog.getByText('Environment: jobs_later in place of jobs (hosts: 20)').waitFor()
    await click(dialog.getByRole('button', { name: 'Change', exact: true }))
    await dialog.getByText('20 changed, 0 refused').waitFor()
    const { body } = await world.api.admin.get('/api/hosts?search=hostgroup_title+%3D+Backends&per_page=1')
    expect(body.subtotal).toBe(20)
  },
}
