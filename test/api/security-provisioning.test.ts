import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRootPassword } from '../../src/areas/inventory/root-password.ts'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

const PROGRAM = '/usr/bin/env'

let api: TestApi
/** The organization and location of the limited callers, and a foreign one. */
let here: Place
let elsewhere: Place

interface Place {
  /** Keys for hosts. */
  readonly own: { readonly organization_id: number; readonly location_id: number }
  /** Keys for all other records, and for users. */
  readonly all: { readonly organization_ids: number[]; readonly location_ids: number[] }
}

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_RUN_COMMANDS: PROGRAM } })
  here = await newPlace()
  elsewhere = await newPlace()
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function newPlace(): Promise<Place> {
  const organization = await given(api.admin, 'organization')
  const location = await given(api.admin, 'location')
  return {
    own: { organization_id: organization.id, location_id: location.id },
    all: { organization_ids: [organization.id], location_ids: [location.id] },
  }
}

const errorsOf = (reply: { body: { error?: { errors?: object } } }) => Object.keys(reply.body.error?.errors ?? {})

describe('a root password that was sent as a hash', () => {
  // Verifying against it would take hours, or more memory than available.
  test.each([
    '$6$rounds=999999999$salt$hash',
    '$5$rounds=999999999$salt$hash',
    '$6$sa{t$hash',
    '$6$salt$hash',
    '$1$salt$hash',
  ])('%s is never computed again', async (hash) => {
    const host = await given(api.admin, 'host', { root_pass: hash })
    expect((await api.admin.put(`/api/hosts/${host.id}`, { root_pass: 'another password' })).status).toBe(200)
    const group = await given(api.admin, 'hostgroup', { root_pass: hash })
    expect((await api.admin.put(`/api/hostgroups/${group.id}`, { root_pass: 'another password' })).status).toBe(200)
    for (const method of ['SHA512', 'SHA256', 'MD5'] as const)
      expect(hashRootPassword('another password', method, hash)).not.toBe(hash)
  })
})

describe('audits of what belongs to others', () => {
  test('are seen from where those are', async () => {
    const subject = { name: unique('secret'), value: 'of elsewhere' }
    const theirs = await given(api.admin, 'host', { ...elsewhere.own, host_parameters_attributes: [subject] })
    const owners: [string, Shown][] = [['hosts', theirs]]
    for (const name of ['domain', 'hostgroup', 'subnet'])
      owners.push([`${name}s`, await given(api.admin, name, elsewhere.all)])
    owners.push([
      'organizations',
      await api.admin.get(`/api/organizations/${elsewhere.own.organization_id}`).then(({ body }) => body),
    ])
    for (const [plural, { id }] of owners.slice(1))
      await expectCreated(api.admin.post(`/api/${plural}/${id}/parameters`, { ...subject, name: unique('secret') }))
    await api.admin.put(`/api/hosts/${theirs.id}/interfaces/${theirs.interfaces[0].id}`, { ip: '192.0.2.1' })
    await api.admin.delete(`/api/hosts/${theirs.id}/parameters/${subject.name}`)
    const mine = await given(api.admin, 'host', { ...here.own, host_parameters_attributes: [subject] })

    const kinds = ['params', 'hosts', 'domains', 'hostgroups', 'subnets', 'organizations']
    const reading = ['view_audit_logs', ...kinds.map((kind) => `view_${kind}`)]
    const seen = async (caller: Caller, type: string) => {
      const { body } = await caller.get(`/api/audits?per_page=all&search=${encodeURIComponent(`type = ${type}`)}`)
      return (body.results as Shown[]).map(({ auditable_id }) => auditable_id)
    }
    const there = await api.can(reading, elsewhere.all)
    expect(await seen(there, 'parameter')).toHaveLength(6)
    expect((await seen(there, 'interface')).filter((id) => id === theirs.interfaces[0].id)).toHaveLength(2)
    const caller = await api.can(reading, here.all)
    expect(await seen(caller, 'parameter')).toEqual([mine.parameters[0].id])
    expect(await seen(caller, 'interface')).not.toContain(theirs.interfaces[0].id)
    expect(await seen(caller, 'interface')).toContain(mine.interfaces[0].id)
    // Records that belong to nothing are visible from everywhere.
    const common = await given(api.admin, 'common_parameter', { name: 'common', value: '1' })
    expect(await seen(caller, 'parameter')).toContain(common.id)
  })
})

describe('whoever may edit smart proxies, and no more', () => {
  const KEY = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  let editor: Caller

  beforeAll(async () => {
    editor = await api.can(['view_smart_proxies', 'edit_smart_proxies', 'create_smart_proxies'], here.all)
  })

  test('does not choose what runs on this machine', async () => {
    const refused = {
      status: 422,
      body: { error: { errors: { runner_command: [expect.stringContaining('administrators')] } } },
    }
    const words = [PROGRAM, 'sh', '-c', 'id']
    const proxy = await given(api.admin, 'smart_proxy', here.all)
    const put = (body: object) => editor.put(`/api/smart_proxies/${proxy.id}`, body)
    expect(await put({ runner: 'command', runner_command: words })).toMatchObject(refused)
    const body = { name: unique('own'), url: 'http://127.0.0.1:1/own', runner: 'command', runner_command: words }
    expect(await editor.post('/api/smart_proxies', body)).toMatchObject(refused)
    expect((await put({ runner: 'ssh', runner_command: words })).status).toBe(200)
    expect(await put({ runner: 'command' })).toMatchObject(refused)
    expect(
      (await api.admin.put(`/api/smart_proxies/${proxy.id}`, { runner: 'command', runner_command: [PROGRAM, 'true'] }))
        .status,
    ).toBe(200)
    expect(await put({ runner_command: words })).toMatchObject(refused)
    expect((await put({ runner: 'command', runner_command: [PROGRAM, 'true'], run_timeout: 60 })).status).toBe(200)
  })

  test('has nobody asked on behalf of a proxy that they may not edit', async () => {
    let asked = 0
    await using server = createServer((_request, response) => {
      asked += 1
      response.end('[]')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // of a server that listens on a port
    const theirs = await given(api.admin, 'smart_proxy', elsewhere.all)
    for (const id of [theirs.id, 987_654])
      expect((await editor.put(`/api/smart_proxies/${id}`, { url: `http://127.0.0.1:${port}/x` })).status).toBe(404)
    expect(asked).toBe(0)
    const mine = await given(api.admin, 'smart_proxy', here.all)
    expect((await editor.put(`/api/smart_proxies/${mine.id}`, { url: `http://127.0.0.1:${port}/x` })).status).toBe(200)
    expect(asked).toBeGreaterThan(0)
  })

  test('uses no stored key for anything else, whoever asks', async () => {
    const stored = {
      runner: 'ssh',
      runner_command: ['agent', '--once'],
      ssh_key: KEY,
      ssh_known_hosts: '* ssh-ed25519 AAAA',
    }
    const proxy = await given(api.admin, 'smart_proxy', { ...stored, ...here.all })
    const put = (body: object, caller = editor) => caller.put(`/api/smart_proxies/${proxy.id}`, body)
    for (const caller of [editor, api.admin])
      for (const body of [
        { runner_command: ['sh'] },
        { runner_command: [] },
        { ssh_user: 'operator' },
        { ssh_port: 2222 },
        { ssh_known_hosts: '* ssh-ed25519 BBBB' },
        { ssh_known_hosts: null },
      ])
        expect(errorsOf(await put(body, caller)), JSON.stringify(body)).toEqual(['ssh_key'])
    const { runner_command, ssh_known_hosts } = stored
    expect((await put({ name: unique('renamed'), run_timeout: 5, runner_command, ssh_known_hosts })).status).toBe(200)
    expect((await put({ runner_command: ['sh'], ssh_key: KEY })).status).toBe(200)
    expect((await put({ runner_command: ['true'], ssh_key: KEY }, api.admin)).status).toBe(200)
    expect(errorsOf(await put({ runner: 'proxy', url: proxy.url }))).toEqual(['ssh_key'])
    expect((await put({ ssh_key: null, runner: 'ssh', ssh_user: 'operator' })).status).toBe(200)
  })
})

describe('a preview', () => {
  test('shows hidden parameters only to those who may reveal them', async () => {
    const { results } = (await api.admin.get('/api/template_kinds?search=name+%3D+provision')).body
    const system = await given(api.admin, 'operatingsystem')
    const template = await given(api.admin, 'provisioning_template', {
      template: "<%= host_param('deep') %>",
      template_kind_id: results[0].id,
      operatingsystem_ids: [system.id],
      ...here.all,
    })
    await api.admin.post(`/api/operatingsystems/${system.id}/os_default_templates`, {
      provisioning_template_id: template.id,
      template_kind_id: results[0].id,
    })
    const hidden = { name: 'deep', value: 'the value', hidden_value: true }
    await api.admin.post(`/api/organizations/${here.own.organization_id}/parameters`, hidden)
    const host = await given(api.admin, 'host', { operatingsystem_id: system.id, ...here.own })
    const seen = async (permissions: string[]) => {
      const caller = await api.can(permissions, here.all)
      return (await caller.get(`/api/hosts/${host.id}/template/provision`)).body.template
    }
    expect(await seen(['view_hosts', 'reveal_hosts', 'view_params', 'edit_params'])).toBe('*****')
    expect(await seen(['view_hosts', 'edit_hosts', 'reveal_params'])).toBe('*****')
    expect(await seen(['view_hosts', 'reveal_hosts', 'reveal_params'])).toBe('the value')
  })
})

describe('the name of a certificate', () => {
  test('is that of one host only, or its owner would be told what is meant for another', async () => {
    const theirs = await given(api.admin, 'host', { name: 'theirs.test', ...elsewhere.own })
    const mine = await given(api.admin, 'host', { name: 'mine.test', ...here.own })
    const editor = await api.can(['view_hosts', 'create_hosts', 'edit_hosts', 'upload_facts'], here.all)
    const taken = { status: 422, body: { error: { errors: { certname: ['has already been taken'] } } } }
    expect(await editor.put(`/api/hosts/${mine.id}`, { certname: theirs.name })).toMatchObject(taken)
    const body = { name: 'third.test', managed: false, certname: theirs.name, ...here.own }
    expect(await editor.post('/api/hosts', body)).toMatchObject(taken)
    expect((await editor.put(`/api/hosts/${mine.id}`, { certname: 'mine.certificate' })).status).toBe(200)
    expect(await api.admin.post('/api/hosts', { name: 'mine.certificate', managed: false })).toMatchObject(taken)
    const uploaded = await expectCreated(
      api.admin.post('/api/hosts/facts', { name: theirs.name, facts: { of: 'theirs' } }),
    )
    expect(uploaded.id).toBe(theirs.id)
    const facts = { facts: { of: 'mine' } }
    expect((await editor.post('/api/hosts/facts', { name: 'new.test', certname: theirs.name, ...facts })).status).toBe(
      404,
    )
  })
})

describe('a batch', () => {
  test('does not repeat the body of an operation that it cannot read', async () => {
    const body = { user: { login: 'new', password: 'a secret word' } }
    const { status, text } = await api.admin.post('/api/batch', { operations: [{ method: 'POST', body }] })
    expect(status).toBe(400)
    expect(text).toContain('operations[0]')
    expect(text).not.toContain('secret')
  })
})

describe('facts in a batch', () => {
  test('that do not fit are left out, as outside of one, and leave nothing behind', async () => {
    const other = await given(api.admin, 'domain', { name: 'other-facts.test', ...elsewhere.all })
    const domain = await given(api.admin, 'domain', { name: 'batch-facts.test', ...elsewhere.all })
    const upload = (name: string, facts: object) => ({
      method: 'POST',
      path: `/api/hosts/facts?organization_id=${here.own.organization_id}`,
      body: { name, facts },
    })
    const { status, body } = await api.admin.post('/api/batch', {
      operations: [
        upload(`one.${other.name}`, { domain: other.name, ipaddress: '192.0.2.7' }),
        upload(`two.${domain.name}`, { domain: domain.name, ipaddress: '192.0.2.8' }),
      ],
    })
    expect({ status, results: body.results.map((one: { status: number }) => one.status) }).toEqual({
      status: 200,
      results: [201, 201],
    })
    for (const name of [`one.${other.name}`, `two.${domain.name}`]) {
      const { body: host } = await api.admin.get(`/api/hosts/${name}`)
      expect(host).toMatchObject({ domain_id: null, organization_id: here.own.organization_id })
      const audits = await api.admin.get(
        `/api/audits?search=${encodeURIComponent(`type = host and auditable = ${name}`)}`,
      )
      expect(audits.body.results.map(({ action }: Shown) => action)).toEqual(['create'])
    }
  })
})
