import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §11: operating systems and images.

let api: TestApi
let arch: number

beforeAll(async () => {
  api = await openTestApi()
  arch = (await api.admin.get('/api/architectures/x86_64')).body.id
})
afterAll(() => api?.[Symbol.asyncDispose]())

const post = (body: object) => api.admin.post('/api/operatingsystems', { operatingsystem: body })
const errorsOf = async (body: object) => (await post(body)).body.error?.errors

describe('operating systems', () => {
  test('are called by their description, or else by name and version', async () => {
    expect((await post({ name: 'CentOS', major: '7' })).body).toMatchObject({ title: 'CentOS 7', minor: '' })
    expect((await post({ name: 'CentOS', major: '7', minor: '9' })).body.title).toBe('CentOS 7.9')
    const { body } = await post({ name: 'RHEL', major: '9', minor: '4', description: 'Plow' })
    expect(body.title).toBe('Plow')
    expect((await api.admin.put(`/api/operatingsystems/${body.id}`, { description: null })).body.title).toBe('RHEL 9.4')
    expect((await api.admin.put(`/api/operatingsystems/${body.id}`, { description: '' })).body.title).toBe('RHEL 9.4')
  })

  test('need a name without spaces and a major version that is a number', async () => {
    expect(await errorsOf({})).toEqual({ name: ["can't be blank"], major: ["can't be blank"] })
    expect(await errorsOf({ name: 'a b', major: '1' })).toEqual({ name: ["can't contain spaces."] })
    for (const major of ['x', '1.', '1.5.2', '-1', ''])
      expect(Object.keys(await errorsOf({ name: 'os', major }))).toEqual(['major'])
    expect(Object.keys(await errorsOf({ name: 'os', major: '123456' }))).toEqual(['major'])
    expect((await post({ name: 'Yearly', major: '22.04' })).body).toMatchObject({ title: 'Yearly 22.04', minor: '' })
    expect(Object.keys(await errorsOf({ name: 'os', major: '1', minor: 'x'.repeat(17) }))).toEqual(['minor'])
    expect(await errorsOf({ name: 'os', major: '1', minor: '-30' })).toEqual({
      minor: ['Operating System minor version must be in N or N.N format'],
    })
  })

  test('are one for each name and version, and for each title: every field that is taken is named', async () => {
    const version = { name: ['Operating system version already exists'] }
    const title = { title: ['has already been taken'] }
    const { body } = await post({ name: 'Once', major: '1', minor: '2' })
    expect(await errorsOf({ name: 'Once', major: '1', minor: '2' })).toEqual({ ...version, ...title })
    expect(await errorsOf({ name: 'Once', major: '1', minor: '2', description: 'Twice' })).toEqual(version)
    expect(await errorsOf({ name: 'Other', major: '1', description: 'Once 1.2' })).toEqual(title)
    const other = await expectCreated(post({ name: 'Once', major: '1' }))
    const changed = await api.admin.put(`/api/operatingsystems/${other.id}`, { minor: '2', description: 'Twice' })
    expect(changed).toMatchObject({ status: 422, body: { error: { id: other.id, errors: version } } })
    expect((await api.admin.put(`/api/operatingsystems/${body.id}`, { major: '1', minor: '2' })).status).toBe(200)
  })

  test('of the Debian family need a release name, also when the family is set later', async () => {
    expect(await errorsOf({ name: 'Debian', major: '12', family: 'Debian' })).toEqual({
      release_name: ["can't be blank"],
    })
    const { body } = await post({ name: 'Debian', major: '12', family: 'Debian', release_name: 'bookworm' })
    expect(body).toMatchObject({ family: 'Debian', release_name: 'bookworm', password_hash: 'SHA512' })
    expect((await api.admin.put(`/api/operatingsystems/${body.id}`, { release_name: '' })).status).toBe(422)
    const plain = (await post({ name: 'Plain', major: '5' })).body
    expect((await api.admin.put(`/api/operatingsystems/${plain.id}`, { family: 'Debian' })).status).toBe(422)
  })

  test('are of the family that their name tells, unless it is said', async () => {
    for (const [name, family] of Object.entries({
      Rocky: 'Redhat',
      FedoraCoreOS: 'Fcos',
      LinuxMint: 'Debian',
      Odd: null,
    }))
      expect((await post({ name, major: '4' })).body).toMatchObject({ family, release_name: null })
    expect((await post({ name: 'RockyLike', major: '4', family: 'Suse' })).body).toMatchObject({ family: 'Suse' })
    const { body } = await post({ name: 'Ubuntu', major: '22.04' })
    const back = await api.admin.put(`/api/operatingsystems/${body.id}`, { operatingsystem: body })
    expect([back.status, back.body.family, back.body.updated_at]).toEqual([200, 'Debian', body.updated_at])
  })

  test('are of a known family and hash passwords in a known way', async () => {
    expect(Object.keys(await errorsOf({ name: 'x', major: '1', family: 'Plan9' }))).toEqual(['family'])
    expect(Object.keys(await errorsOf({ name: 'x', major: '1', password_hash: 'rot13' }))).toEqual(['password_hash'])
    expect((await post({ name: 'BlankFamily', major: '1', family: '', password_hash: '' })).body).toMatchObject({
      family: null,
      password_hash: 'SHA512',
    })
  })

  test('know their architectures, from either side', async () => {
    const { body } = await post({ name: 'Both', major: '1', architecture_ids: [arch] })
    expect(body.architectures).toEqual([{ name: 'x86_64', id: arch }])
    expect((await api.admin.get(`/api/architectures/${arch}`)).body.operatingsystems).toMatchObject([{ id: body.id }])
    const nested = await api.admin.get(`/api/architectures/${arch}/operatingsystems`)
    expect(nested.body.results).toMatchObject([{ id: body.id }])
    await api.admin.put(`/api/architectures/${arch}`, { operatingsystem_ids: [] })
    expect((await api.admin.get(`/api/operatingsystems/${body.id}`)).body.architectures).toEqual([])
  })

  test('are found by the words of their search fields', async () => {
    await post({ name: 'Findme', major: '42', minor: '1', family: 'Suse', architecture_ids: [arch] })
    for (const search of [
      'name = Findme',
      'major = 42',
      'family = Suse and name = Findme',
      'title = "Findme 42.1"',
      'findme',
      'architecture = x86_64',
    ]) {
      const { body } = await api.admin.get(`/api/operatingsystems?search=${encodeURIComponent(search)}`)
      expect(body.results, search).toMatchObject([{ name: 'Findme' }])
    }
  })
})

describe('images', () => {
  let os: number

  beforeAll(async () => {
    os = (await post({ name: 'Imaged', major: '1' })).body.id
  })

  const image = (name: string, more: object = {}) => ({
    image: { name, uuid: `uuid of ${name}`, username: 'root', architecture_id: arch, operatingsystem_id: os, ...more },
  })

  test('show what they are made for', async () => {
    const created = await expectCreated(api.admin.post('/api/images', image('base')))
    expect(created).toMatchObject({
      name: 'base',
      uuid: 'uuid of base',
      username: 'root',
      architecture_id: arch,
      architecture_name: 'x86_64',
      operatingsystem_id: os,
      operatingsystem_name: 'Imaged 1',
    })
    expect((await api.admin.get(`/api/operatingsystems/${os}`)).body.images).toEqual([{ id: created.id, name: 'base' }])
    expect((await api.admin.get(`/api/architectures/${arch}/images`)).body.results).toMatchObject([{ id: created.id }])
  })

  test('need all of it', async () => {
    const { body } = await api.admin.post('/api/images', { image: {} })
    expect(body.error.errors).toEqual({
      name: ["can't be blank"],
      uuid: ["can't be blank"],
      username: ["can't be blank"],
      architecture_id: ["can't be blank"],
      operatingsystem_id: ["can't be blank"],
    })
    await expectCreated(api.admin.post('/api/images', image('unique')))
    expect((await api.admin.post('/api/images', image('unique'))).body.error.errors).toEqual({
      name: ['has already been taken'],
    })
  })

  test('made below an architecture belong to it, whatever the body says', async () => {
    const other = (await api.admin.get('/api/architectures/i386')).body.id
    const path = `/api/architectures/${other}/images`
    expect((await expectCreated(api.admin.post(path, image('nested')))).architecture_id).toBe(other)
  })

  test('keep their operating system from being deleted', async () => {
    expect((await api.admin.delete(`/api/operatingsystems/${os}`)).status).toBe(422)
  })
})

test('the import of a template whose name or comment holds NUL is refused, or finds nothing by it', async () => {
  const path = '/api/provisioning_templates/import'
  const named = await api.admin.post(path, { provisioning_template: { name: 'a\0b', template: 'text' } })
  expect(named.status).toBe(422)
  expect(Object.keys(named.body.error.errors)).toContain('name')
  const template = '<%#\nname: With NUL\nkind: provision\noses: ["a\\0"]\norganizations: ["b\\0"]\n%>\ntext'
  const { status } = await api.admin.post(path, {
    provisioning_template: { template },
    options: { associate: 'always' },
  })
  expect(status).toBe(201)
})

test('the comment of a template that is imported may say a key twice: the last one counts', async () => {
  const template = '<%#\nname: Said once\nsnippet: true\nmodel: Template\nname: Said twice\nmodel: Template\n-%>\ntext'
  const made = await expectCreated(
    api.admin.post('/api/provisioning_templates/import', { provisioning_template: { template } }),
  )
  expect(made).toMatchObject({ name: 'Said twice', snippet: true, template })
})
