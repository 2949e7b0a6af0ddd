import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { startListener, unusedPort } from '../support/peers/listener.ts'
import { run } from './program.ts'

// `millwright enc <certname>`, as servers of the configuration engine run it (smart-parameters §9.2).

let api: TestApi
let folder: string
let cache: string
let host: Shown
let env: Record<string, string>

beforeAll(async () => {
  api = await openTestApi()
  folder = mkdtempSync(join(tmpdir(), 'enc-cli-'))
  const url = await api.listen()
  const may = await api.can(['view_hosts', 'view_params', 'upload_facts', 'create_hosts', 'edit_hosts'], {
    ...{ organization_ids: [1], location_ids: [1] },
  })
  const { body } = await api.admin.post(`/api/users/${may.id}/personal_access_tokens`, { name: 'classifier' })
  env = { MILLWRIGHT_ENC_URL: url, MILLWRIGHT_ENC_TOKEN: body.token_value }
})
beforeEach(async () => {
  cache = join(folder, unique('cache'))
  env = { ...env, MILLWRIGHT_ENC_CACHE: cache }
  host = await given(api.admin, 'host', { name: `${unique('node')}.example.test` })
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const enc = (name: string, more: Record<string, string> = {}) => run(['enc', name], folder, { ...env, ...more })
const document = async () => (await api.admin.get(`/node/${host.name}?format=yml`)).text

describe('millwright enc', () => {
  test('prints the document and nothing else, and keeps it for itself alone', async () => {
    expect(await enc(host.name)).toEqual({ code: 0, stdout: await document(), stderr: '' })
    expect(readdirSync(cache)).toEqual([`${host.name}.yaml`])
    expect(statSync(join(cache, `${host.name}.yaml`)).mode & 0o777).toBe(0o600)
    expect(await enc(host.name)).toEqual({ code: 0, stdout: await document(), stderr: '' })
    await api.admin.put(`/api/hosts/${host.id}`, { comment: 'changed' })
    const { stdout } = await enc(host.name)
    expect(stdout).toContain('comment: changed')
    expect(stdout).toBe(await document())
  })

  test('prints the last answer while the service is away or silent, and says so', async () => {
    const { stdout } = await enc(host.name)
    const away = { MILLWRIGHT_ENC_URL: `http://127.0.0.1:${await unusedPort()}` }
    const without = await enc(host.name, away)
    expect(without).toMatchObject({ code: 0, stdout })
    expect(without.stderr).toMatch(/^millwright: the service gave no classification of .*; this is its last answer\n$/)
    await using silent = await startListener(() => {})
    const hanging = { MILLWRIGHT_ENC_URL: `http://127.0.0.1:${silent.port}`, MILLWRIGHT_ENC_TIMEOUT: '300ms' }
    const late = await enc(host.name, hanging)
    expect(late).toMatchObject({ code: 0, stdout })
    expect(late.stderr).toContain('it took too long')
  })

  test('fails without a last answer, and when that is broken', async () => {
    const away = { MILLWRIGHT_ENC_URL: `http://127.0.0.1:${await unusedPort()}` }
    expect(await enc(host.name, away)).toMatchObject({ code: 1, stdout: '' })
    await enc(host.name)
    const file = join(cache, `${host.name}.yaml`)
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20))
    expect(await enc(host.name, away)).toMatchObject({ code: 1, stdout: '' })
    expect((await enc(host.name)).stdout).toBe(await document())
  })

  test('fails when the service says no, whatever was kept', async () => {
    await enc(host.name)
    const wrong = await enc(host.name, { MILLWRIGHT_ENC_TOKEN: 'wrong' })
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toContain('the service answered 401')
    await api.admin.put(`/api/hosts/${host.id}`, {
      host_parameters_attributes: [{ name: 'broken', value: '<%= nothing %>' }],
    })
    const broken = await enc(host.name)
    expect(broken).toMatchObject({ code: 1, stdout: '' })
    expect(broken.stderr).toContain('answered 412 for')
    expect(broken.stderr).toContain("Parameter 'broken' of the host cannot be rendered")
    const unknown = await enc('nobody.example.test')
    expect(unknown).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'millwright: the service answered 404 for nobody.example.test\n',
    })
    expect(await enc('../../etc/passwd')).toMatchObject({ code: 1, stdout: '' })
  })

  test('sends facts first, and goes on without those that cannot be sent', async () => {
    const facts = join(folder, unique('facts'))
    mkdirSync(facts)
    const told = { MILLWRIGHT_ENC_FACTS: facts }
    writeFileSync(join(facts, `${host.name}.json`), JSON.stringify({ name: host.name, values: { zone: 'dmz' } }))
    expect(await enc(host.name, told)).toMatchObject({ code: 0, stderr: '' })
    const { body } = await api.admin.get(`/api/hosts/${host.id}/facts`)
    expect(body.results[host.name]).toMatchObject({ zone: 'dmz' })
    writeFileSync(join(facts, `${host.name}.json`), 'no JSON')
    const broken = await enc(host.name, told)
    expect(broken).toMatchObject({ code: 0, stdout: await document() })
    expect(broken.stderr).toContain(`the facts of ${host.name} were not sent`)
  })

  test('goes on when nothing can be kept', async () => {
    writeFileSync(cache, 'a file, where a directory should be')
    chmodSync(cache, 0o400)
    const { code, stdout, stderr } = await enc(host.name)
    expect({ code, stdout }).toEqual({ code: 0, stdout: await document() })
    expect(stderr).toContain(`the answer for ${host.name} was not kept`)
  })

  test('wants to know where the service is', async () => {
    const { code, stderr } = await enc(host.name, { MILLWRIGHT_ENC_URL: 'millwright' })
    expect(code).toBe(1)
    expect(stderr).toContain('enc-url must be the address of the service')
  })
})
