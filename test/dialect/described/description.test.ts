import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated, type Reply } from '../../support/api.ts'
import { unique } from '../../support/given.ts'
import { type BothListeners, openBothListeners } from '../support.ts'
import { differences } from './compare.ts'
import { REASONS, REQUIRED_SOMETIMES } from './reasons.ts'

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('lacks no recorded parameter but those that are listed for readers, and differs otherwise only for a reason', async () => {
  const found = differences((await api.stranger.get('/apidoc/v2.json')).text)
  const isLacking = (difference: string) => difference.startsWith('no parameter ')
  expect(found.filter(isLacking).sort()).toEqual(listedAsLacking().sort())
  const others = found.filter((difference) => !isLacking(difference))
  expect(others.filter((difference) => !REASONS.some(([about]) => about.test(difference)))).toEqual([])
  expect(REASONS.filter(([about]) => !others.some((difference) => about.test(difference)))).toEqual([])
})

test('has each parameter that newer clients look up before they start, and correct where their servers were wrong', async () => {
  const { resources } = (await api.stranger.get('/apidoc/v2.json')).body.docs
  const missing = LOOKED_UP.flatMap(([resource, action, ...names]) => {
    const { params } = resources[resource].methods.find(({ name }: Named) => name === action)
    return names.filter((name) => !findNamed(params, name)?.allow_nil).map((name) => `${resource}.${action} ${name}`)
  })
  expect(missing).toEqual([])
})

test('agrees with the service about required parameters: each is refused when it is missing, and none else is', async () => {
  const { resources } = (await api.stranger.get('/apidoc/v2.json')).body.docs
  const found: string[] = []
  for (const [resource, { methods }] of Object.entries<{ methods: Action[] }>(resources))
    for (const { name, apis, params } of methods) {
      const path = apis.find(({ api_url, http_method }) => http_method === 'POST' && !api_url.includes(':'))?.api_url
      if (!path || !/create$/.test(name)) continue
      const required = params.filter((one) => one.required)
      const whole = Object.fromEntries(required.map((one) => [one.name, exampleOf(one)]))
      const missing = missingIn(await api.theirs.post(path, whole))
      const sent = JSON.stringify(whole)
      for (const field of missing) if (!sent.includes(`"${field}"`)) found.push(`${resource}.${name} requires ${field}`)
      for (const without of listWithout(required)) {
        const { status } = await api.theirs.post(path, without.body)
        if (status < 400) found.push(`${resource}.${name} does not require ${without.name}`)
      }
    }
  expect(found.sort()).toEqual(Object.keys(REQUIRED_SOMETIMES).sort())
})

test('does what the parameters say that no schema names', async () => {
  const { theirs } = api
  const made = async (path: string, body: unknown) => (await expectCreated(theirs.post(path, body))).id
  const library = (await theirs.get('/katello/api/environments?organization_id=1')).body.results[0].id
  const key = await theirs.post('/katello/api/activation_keys', {
    ...{ organization_id: 1, name: 'described', environment: { id: library } },
  })
  expect(key.body).toMatchObject({ environment_id: library })
  const stage = await made('/katello/api/environments', { organization_id: 1, name: 'stage', prior_id: library })
  const renamed = await theirs.put(`/katello/api/environments/${stage}`, { new_name: 'staging' })
  expect(renamed.body).toMatchObject({ name: 'staging' })

  await made('/katello/api/products', { organization_id: 1, name: 'described' })
  for (const lacking of ['products?redhat_only=true', 'products?sync_plan_id=1', 'repositories?deb_id=1'])
    expect((await theirs.get(`/katello/api/${lacking}&organization_id=1`)).body.results, lacking).toEqual([])

  const [view, other] = await Promise.all(
    ['described', 'other'].map((name) => made('/katello/api/content_views', { organization_id: 1, name })),
  )
  const filter = await made('/katello/api/content_view_filters', { content_view_id: view, name: 'none', type: 'rpm' })
  const filterOf = (id: unknown) => theirs.get(`/katello/api/content_view_filters/${filter}?content_view_id=${id}`)
  expect([(await filterOf(view)).status, (await filterOf(other)).status]).toEqual([200, 404])

  await made('/api/environments', { environment: { name: 'described' } })
  const unused = await made('/api/puppetclasses', { puppetclass: { name: 'described' } })
  expect((await theirs.get(`/api/environments?puppetclass_id=${unused}`)).body.results).toEqual([])
  const [profile, resource] = [
    await made('/api/compute_profiles', { compute_profile: { name: 'described' } }),
    await made('/api/compute_resources', {
      compute_resource: { name: 'described', provider: 'Libvirt', url: 'qemu:///system' },
    }),
  ]
  const sizes = { compute_profile_id: profile, compute_resource_id: resource, compute_attribute: { vm_attrs: {} } }
  expect((await theirs.post('/api/compute_attributes', sizes)).status).toBe(201)
  const viewer = (await theirs.get('/api/roles?search=name=Viewer')).body.results[0].id
  const clone = await theirs.post(`/api/roles/${viewer}/clone`, { role: { name: 'described', organization_ids: [1] } })
  expect(clone.body.organizations).toMatchObject([{ id: 1 }])

  const table = { name: 'described', layout: 'zerombr', audit_comment: 'because' }
  const id = await made('/api/ptables', { ptable: table })
  const audits = await theirs.get(`/api/audits?search=type=ptable and auditable_id=${id}`)
  expect(audits.body.results).toMatchObject([{ comment: 'because' }])
})

test('is the same in every language, and has one checksum', async () => {
  const [plain, english, german] = await Promise.all(
    ['v2.json', 'v2.en.json', 'v2.pt_BR.json'].map((name) => api.stranger.get(`/apidoc/${name}`)),
  )
  expect(plain).toMatchObject({ status: 200 })
  expect(english?.text === plain?.text && german?.text === plain?.text).toBe(true)
  const { checksum } = (await api.stranger.get('/apidoc/apipie_checksum')).body
  expect(checksum).toMatch(/^[0-9a-f]{32}$/)
  const again = await api.stranger.get('/apidoc/v2.json', { 'if-none-match': String(plain?.headers.etag) })
  expect(again).toMatchObject({ status: 304, text: '' })
  expect((await api.stranger.get('/apidoc/v1.json')).status).toBe(404)
})

test('has what clients want to find before they start', async () => {
  const { resources } = (await api.stranger.get('/apidoc/v2.json')).body.docs
  const parameters = (resource: string, action: string) =>
    resources[resource].methods.find(({ name }: Named) => name === action).params.map(({ name }: Named) => name)
  expect(parameters('hosts', 'update')).toContain('host')
  expect(parameters('organizations', 'update')).toContain('organization')
  expect(parameters('content_view_filter_rules', 'create')).toContain('content_view_filter_id')
  expect(parameters('activation_keys', 'create')).toContain('name')
  expect(Object.keys(resources)).toContain('subscriptions')
})

test('names no path that is not served, but those that clients only want to find', async () => {
  const { docs } = (await api.stranger.get('/apidoc/v2.json')).body
  const named = Object.entries<Described>(docs.resources).flatMap(([resource, { methods }]) =>
    methods.flatMap(({ apis }) => apis.map((each) => ({ resource, ...each }))),
  )
  expect(named.length).toBeGreaterThan(300)
  const missing = new Set<string>()
  for (const { resource, http_method, api_url } of named) {
    const url = api_url.replace(/:\w+/g, '999')
    const { status } = await api.stranger.send({ method: http_method as 'GET', url }) // inject wants a literal
    if (status === 404) missing.add(resource)
  }
  expect([...missing].sort()).toEqual(['flatpak_remotes', 'recurring_logics'])
})

/** What newer Ansible collections look up (reference/newer-clients.md), with parameters whose value may be null. */
const CREDENTIALS = ['gpg_key_id', 'ssl_ca_cert_id', 'ssl_client_cert_id', 'ssl_client_key_id']
const LOOKED_UP: readonly (readonly [resource: string, action: string, ...names: string[]])[] = [
  ['activation_keys', 'product_content', 'per_page'],
  ['content_view_filter_rules', 'create', 'uuid', 'errata_ids', 'date_type', 'module_stream_ids'],
  ['content_view_filter_rules', 'update'],
  ['hosts', 'update'],
  ['organizations', 'create', 'organization[ignore_types]'],
  ['organizations', 'update', 'organization[ignore_types]'],
  ['products', 'create', ...CREDENTIALS],
  ['products', 'update', ...CREDENTIALS],
  ['repositories', 'create', ...CREDENTIALS],
  ['repositories', 'update', ...CREDENTIALS],
]

function findNamed(parameters: readonly Parameter[], name: string): Parameter | undefined {
  return parameters.flatMap((one) => [one, ...(one.params ?? [])]).find(({ full_name }) => full_name === name)
}

/** Lists what docs/compatibility.md says is not described, in the words of a difference. */
function listedAsLacking(): string[] {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/compatibility.md'), 'utf8')
  const [, section = ''] = document.split('\n## Parameters that are not described\n')
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| (`.+?) \| (.+?) \|/gm)].flatMap(([, actions = '', names = '']) =>
    quoted(actions).flatMap((action) => quoted(names).map((name) => `no parameter ${action} ${name}`)),
  )
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
}

interface Parameter {
  readonly full_name: string
  readonly allow_nil: boolean
  readonly params?: readonly Parameter[]
}

interface Described {
  readonly methods: readonly { readonly apis: readonly { readonly http_method: string; readonly api_url: string }[] }[]
}

interface Named {
  readonly name: string
}

interface Action {
  readonly name: string
  readonly apis: readonly { readonly api_url: string; readonly http_method: string }[]
  readonly params: readonly Described[]
}

interface Described {
  readonly name: string
  readonly full_name: string
  readonly required: boolean
  readonly expected_type: string
  readonly params?: readonly Described[]
}

/** A value that is not blank; whether it is right, another message says. */
function exampleOf({ name, expected_type: type, params = [] }: Described): unknown {
  if (type === 'hash')
    return Object.fromEntries(params.filter((one) => one.required).map((one) => [one.name, exampleOf(one)]))
  if (type === 'array') return [1]
  if (type === 'numeric' || /_ids?$/.test(name)) return 1
  return type === 'boolean' ? true : unique('sent')
}

/** Bodies that each lack one required parameter. */
function listWithout(required: readonly Described[]): { readonly name: string; readonly body: object }[] {
  const bodyOf = (left: readonly Described[]) => Object.fromEntries(left.map((one) => [one.name, exampleOf(one)]))
  return required.flatMap((lacking) => {
    const others = required.filter((one) => one !== lacking)
    const inner = (lacking.params ?? []).filter((one) => one.required)
    return [
      { name: lacking.full_name, body: bodyOf(others) },
      ...inner.map((one) => ({
        name: one.full_name,
        body: { ...bodyOf(others), [lacking.name]: bodyOf(inner.filter((other) => other !== one)) },
      })),
    ]
  })
}

/** The fields that an answer calls missing. */
function missingIn({ status, body }: Reply): readonly string[] {
  if (status < 400) return []
  const errors = body?.error?.errors ?? body?.errors ?? {}
  return Object.entries(errors).flatMap(([field, messages]) =>
    /can't be blank|missing|is required|must be given/.test(JSON.stringify(messages)) ? [field] : [],
  )
}
