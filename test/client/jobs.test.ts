import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyWorld } from '../api/activation-key-world.ts'
import { openRunsWorld, type RunsWorld } from '../api/configrun-world.ts'
import { ADMIN } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown } from '../support/given.ts'
import { spawnSync } from '../support/processes.ts'
import { type Ended, millwright, wordsOf } from './program.ts'

// Jobs that are more than a route, by the real program.
const home = mkdtempSync(join(tmpdir(), 'millwright-jobs-'))
let world: RunsWorld
let env: Record<string, string>

beforeAll(async () => {
  world = await openRunsWorld()
  env = {
    HOME: home,
    MILLWRIGHT_URL: await world.api.listen(),
    MILLWRIGHT_LOGIN: ADMIN.login,
    MILLWRIGHT_TOKEN: ADMIN.password,
  }
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  rmSync(home, { recursive: true })
})

const run = (line: string): Promise<Ended> => millwright(wordsOf(line), env)

test('a run is followed to its end, which is the end of the command', async () => {
  for (const name of ['good.lab.test', 'fail-one.lab.test']) await world.host(name)
  await using _workers = await world.workers()
  expect(await run('run start good.lab.test --follow')).toEqual({
    code: 0,
    stdout: 'configuring good.lab.test\ndone\n',
    stderr: '',
  })
  const failed = await run('run start fail-one.lab.test --follow')
  expect(failed).toMatchObject({ code: 7, stdout: expect.stringContaining('no catalog') })
  expect(failed.stderr).toMatch(/^millwright: run \d+ is failed/)
  const id = /run (\d+)/.exec(failed.stderr)?.[1]
  expect(await run(`run follow ${id}`)).toEqual(failed)
  expect((await run('run start good.lab.test')).stdout).toMatch(/^Run \d+ of good.lab.test is queued; follow it: /)
})

describe('classification', () => {
  let parameter: Shown
  beforeAll(async () => {
    const { admin } = world.api
    const environment = await given(admin, 'environment', { name: 'production' })
    const configclass = await given(admin, 'configclass', { name: 'ntp', environment_ids: [environment.id] })
    await world.host('n1.lab.test', { environment_id: environment.id, configclass_ids: [configclass.id] })
    parameter = await importedParameter(world.api, {
      ...{ configclass, parameter: 'servers', default_value: '"pool"' },
      columns: { override: true, parameter_type: 'string' },
    })
  })

  test('why a host gets a value, as a tree', async () => {
    const { code, stdout, stderr } = await run('classes explain n1.lab.test servers')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('value: pool')
    expect(stdout).toMatch(/^ {2}└─ /m)
    const json = await run('classes explain --host n1.lab.test --parameter servers --output json')
    expect(JSON.parse(json.stdout)).toMatchObject({ value: 'pool' })
  })

  test('the hosts that would change, before anything does', async () => {
    const preview = await run(`sc-param update --preview --id ${parameter.id} --default-value mine --output json`)
    expect({ code: preview.code, stderr: preview.stderr }).toEqual({ code: 0, stderr: '' })
    expect(preview.stdout).toContain('n1.lab.test')
    expect((await run(`sc-param info ${parameter.id} --query default_value`)).stdout).toBe('"pool"\n')
    await run(`sc-param update --no-preview --id ${parameter.id} --default-value mine`)
    expect((await run(`sc-param info ${parameter.id} --query default_value`)).stdout).toBe('"mine"\n')
  })
})

test('a template as a host gets it', async () => {
  const { admin } = world.api
  const { id } = await given(admin, 'operatingsystem', { name: 'Debian', major: '12' })
  const { organization_id, location_id } = world.place
  const taxonomies = { organization_ids: [organization_id], location_ids: [location_id] }
  const template = await given(admin, 'provisioning_template', {
    ...{ name: 'boot', template: 'Hello <%= @host.name %>', template_kind_name: 'provision' },
    ...{ operatingsystem_ids: [id], ...taxonomies },
  })
  await admin.post(`/api/operatingsystems/${id}/os_default_templates`, {
    os_default_template: { template_kind_name: 'provision', provisioning_template_id: template.id },
  })
  await world.host('rendered.lab.test', { operatingsystem_id: id })
  const rendered = await run('template render --host rendered.lab.test')
  expect(rendered).toEqual({ code: 0, stdout: 'Hello rendered.lab.test\n', stderr: '' })
  expect(await run('template render rendered.lab.test --kind finish')).toMatchObject({ code: 3, stdout: '' })
})

test('what keys would give, and who has drifted from one', async () => {
  const { organization, ...keys } = await keyWorld(world.api)
  const key = await keys.key({ name: 'web', environment_id: keys.library, content_view_id: keys.defaultView })
  await keys.key({ name: 'extra', service_level: 'Premium' })
  await keys.registered(key, 'drifter')
  const here = `--organization "${organization.name}"`
  const resolved = await run(`key resolve --keys web,extra ${here}`)
  expect({ code: resolved.code, stderr: resolved.stderr }).toEqual({ code: 0, stderr: '' })
  expect(resolved.stdout).toMatch(/service level\n +value: Premium/)
  const fields = await run(`activation-key resolve --keys web,extra ${here} --query fields.service_level.value`)
  expect(fields.stdout).toBe('"Premium"\n')
  expect((await run(`key drift web ${here} --output name`)).stdout).toBe('drifter.test\n')
  expect(await run(`key resolve --keys web,nowhere ${here}`)).toMatchObject({
    code: 3,
    stderr: "millwright: Couldn't find activation key 'nowhere'\n",
  })
})

test('a directory is tested step by step, and again while it is watched', async () => {
  await given(world.api.admin, 'auth_source_ldap', { name: 'corp', host: 'ldap.invalid' })
  const tested = await run('auth-source ldap test corp')
  expect(tested).toMatchObject({ code: 7, stderr: expect.stringMatching(/^millwright: corp: Unable to connect/) })
  expect(tested.stdout).toMatch(/^failed +resolve +The host name cannot be resolved/)
  const json = await run('auth-source ldap test --name corp --output json')
  expect(JSON.parse(json.stdout)).toMatchObject({ success: false, steps: expect.any(Array) })
})

describe('templates of others', () => {
  const FIRST = ['', '', '', '#!ipxe\n', '#!/bin/sh\n\n', '<?xml version="1.0"?>\n']
  const KINDS = ['provision', 'finish', 'PXELinux', 'iPXE', 'user_data', 'snippet']

  /** Writes files as public collections have them: in folders by kind, some in the ways of another system. */
  function writeCollection(folder: string, count: number): void {
    for (let at = 0; at < count; at++) {
      const kind = at % 10 === 9 ? 'ptable' : (KINDS[at % KINDS.length] ?? '')
      const place = join(folder, kind === 'ptable' ? 'partition_tables_templates' : `provisioning_templates/${kind}`)
      mkdirSync(place, { recursive: true })
      const facts = [
        `kind: ${kind}`,
        `name: Collected ${at}`,
        ...(at % 3 ? [`model: ${kind === 'ptable' ? 'Ptable' : 'ProvisioningTemplate'}`] : []),
        ...(kind === 'snippet' && at % 2 ? ['snippet: true'] : []),
        ...(at % 4 ? ['oses:', '- Debian', '- Nonesuch'] : []),
        ...(at % 5 ? [] : ['organizations:', '- Nowhere', 'test_on:', '- x']),
        'description: |',
        '  For people.',
      ]
      const text = `${FIRST[at % FIRST.length]}<%#\n${facts.join('\n')}\n-%>\nline <%= @host.name %>\n`
      writeFileSync(join(place, `collected_${at}.erb`), at % 7 ? text : text.replaceAll('\n', '\r\n'))
    }
    mkdirSync(join(folder, 'job_templates'))
    writeFileSync(
      join(folder, 'job_templates/run.erb'),
      '<%#\nkind: job_template\nname: Run\nmodel: JobTemplate\n-%>\nx',
    )
    writeFileSync(join(folder, 'README.md'), 'not a template')
  }

  test('come in from a folder or an archive, 300 at once, and go out again', { timeout: 120_000 }, async () => {
    const folder = join(home, 'collection')
    writeCollection(folder, 300)
    const first = await run(`templates import ${folder}`)
    expect(first).toEqual({
      code: 0,
      stdout: '300 imported, 1 left out\n',
      stderr: 'millwright: job_templates/run.erb: is of a kind that this service does not keep\n',
    })
    const archive = join(home, 'collection.tar.gz')
    expect(spawnSync('tar', ['-czf', archive, '-C', home, 'collection']).status).toBe(0)
    expect(await run(`templates import ${archive}`)).toMatchObject({ code: 0, stdout: first.stdout })
    const out = join(home, 'exported')
    expect((await run(`templates export ${out}`)).code).toBe(0)
    const exported = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /collected_\d+\.erb$/.test(file),
    )
    expect(exported).toHaveLength(300)
    expect((await run(`templates import ${out}`)).stderr).toBe('')
  })

  test('say which file is refused, and why; the others are imported', async () => {
    const folder = join(home, 'broken')
    mkdirSync(folder)
    writeFileSync(join(folder, 'bad.erb'), '<%#\nkind: finish\nname: Bad\n-%>\n<%= if %>')
    writeFileSync(join(folder, 'good.erb'), '<%#\nkind: finish\nname: Good\n-%>\nx')
    const { code, stdout, stderr } = await run(`templates import ${folder}`)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '1 imported, 1 refused\n' })
    expect(stderr).toMatch(/^millwright: bad.erb: Template cannot be understood: line 5: /)
    expect(await run('templates import /nowhere')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/nowhere is neither'),
    })
  })
})
