import type { BoundField, FieldPosition, Resource } from '../../src/kernel/definition.ts'
import { PREFIXES } from '../../src/requests/surface.ts'
import { type Caller, expectCreated } from './api.ts'
import { declared } from './declared.ts'

export type Body = Readonly<Record<string, unknown>>

/** A record as an answer of the API shows it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every resource
export type Shown = Readonly<Record<string, any>> & { readonly id: number }

/** Yields the resource of this name. */
export function resourceNamed(name: string): Resource {
  const resource = declared.registry.get(name)
  if (!resource) throw new Error(`no resource is named ${name}`)
  return resource
}

/** Creates a record with everything that it requires: parents are created on demand, `overrides` are keys of the body. */
export async function given(caller: Caller, name: string, overrides: Body = {}): Promise<Shown> {
  const resource = resourceNamed(name)
  const body = { ...(await leastBody(caller, name, overrides)), ...overrides }
  const path = resource.nestedOnly ? await pathFor(caller, resource) : resource.path
  return expectCreated(caller.post(path, wrapped(resource, body)))
}

/** Wraps keys of a record as a request sends them. */
export function wrapped({ word }: Resource, body: Body): Body {
  return { [word]: body }
}

/** Builds the smallest body that creates a record. */
export async function leastBody(caller: Caller, name: string, overrides: Body = {}): Promise<Body> {
  const resource = resourceNamed(name)
  const place =
    resource.taxable === 'organization' ? { organization_id: await organizationOf(caller, resource, overrides) } : {}
  const own = await NEEDED[name]?.(caller, { ...place, ...overrides })
  const body: Record<string, unknown> = { ...place, ...own }
  for (const { name: field, field: kind, at, column } of resource.placed) {
    const key = column?.name ?? field
    if (!kind.required || !(key in kind.writable(at)) || key in body || key in overrides) continue
    body[key] = kind.refersTo
      ? (await given(caller, kind.refersTo.resource, sharing(kind.refersTo.resource, place))).id
      : unique(field)
  }
  return body
}

/** Yields the path on which records of a resource are created and found; below a new parent where there is no other. */
export async function pathFor(caller: Caller, resource: Resource): Promise<string> {
  if (!resource.nestedOnly) return pathOf(resource)
  const [parent = ''] = Object.keys(resource.parents)
  const { id } = await given(caller, parent)
  return pathBelow(parent, id, resource)
}

/** Yields the path on which records of an organization are listed and shown, by default of the first one. */
export function pathOf(resource: Resource, organization = 1): string {
  return ASKED_BY_ORGANIZATION.has(resource.name) ? pathBelow('organization', organization, resource) : resource.path
}

/** Resources whose requests have to name an organization (content-api §2.2). */
export const ASKED_BY_ORGANIZATION = new Set(['activation_key', 'repository_set', 'subscription'])

/** Yields the path of the records of a resource that belong to one of another. */
export function pathBelow(parent: string, id: number | string, { surface, path }: Resource): string {
  return `${PREFIXES[surface]}/${lastWord(resourceNamed(parent).path)}/${id}/${lastWord(path)}`
}

function lastWord(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * Yields the organization of the records that the keys refer to, which a new record has to share; by default the first one.
 */
async function organizationOf(caller: Caller, resource: Resource, body: Body): Promise<unknown> {
  if (body.organization_id !== undefined) return body.organization_id
  for (const { field, at } of resource.placed) {
    const [key] = Object.keys(field.writable(at))
    const [id] = [key === undefined ? [] : (body[key] ?? [])].flat()
    const target = !field.refersTo || id === undefined ? undefined : at.target(field.refersTo.resource)
    if (target?.taxable !== 'organization') continue
    const { body: other } = await caller.get(`${target.path}/${id}`)
    return other.organization_id ?? other.organization.id
  }
  return 1
}

function sharing(target: string, place: Body): Body {
  return resourceNamed(target).taxable === 'organization' ? place : {}
}

/** Yields a path segment that names a record by id, with a hyphen behind it where that is allowed. */
export function segmentOf({ namedBy }: Resource, id: number): string {
  return namedBy === 'label' ? String(id) : `${id}-`
}

/** Yields the resource that a link refers to. */
export function targetOf({ name, field, at }: BoundField): string {
  if (field.refersTo) return field.refersTo.resource
  let seen: string | undefined
  const watching: FieldPosition = {
    ...at,
    target: (target) => {
      seen ??= target
      return at.target(target)
    },
  }
  field.readable(watching)[name]?.schema()
  if (!seen) throw new Error(`${name} points at nothing`)
  return seen
}

/** Creates what a managed host requires. */
export async function managedHost(caller: Caller): Promise<Body> {
  const [architecture, operatingsystem] = [await given(caller, 'architecture'), await given(caller, 'operatingsystem')]
  const octets = [addresses >> 8, addresses++ & 255].map((octet) => octet.toString(16).padStart(2, '0'))
  return {
    managed: true,
    architecture_id: architecture.id,
    operatingsystem_id: operatingsystem.id,
    mac: `52:54:00:ff:${octets.join(':')}`,
  }
}

let addresses = 0
let made = 0

/** Yields a short unique text. */
export function unique(word: string): string {
  return `${word}${++made}`
}

/** Yields the id of the Library, the first lifecycle environment of an organization. */
async function libraryId(caller: Caller, organization: unknown): Promise<number> {
  const { body } = await caller.get(`/content/api/environments?library=true&organization_id=${organization}`)
  return body.results[0].id
}

// Requirements that declarations express by rules instead of facts.
const NEEDED: Readonly<Record<string, (caller: Caller, overrides: Body) => Promise<Body>>> = {
  host: async () => ({ managed: false }),
  repository: async () => ({ content_type: 'yum' }),
  lifecycle_environment: async (caller, { organization_id }) => ({
    prior_id: await libraryId(caller, organization_id),
  }),
  // Nothing listens there: a proxy that is only used to reach hosts need not answer.
  smart_proxy: async () => ({ url: `http://127.0.0.1:1/${unique('proxy')}`, runner: 'ssh' }),
  content_view_filter: async () => ({ type: 'rpm' }),
  content_credential: async () => ({ content_type: 'gpg_key', content: 'a public key' }),
  webhook: async () => ({ target_url: 'https://hooks.example.test/', events: ['host.*'] }),
  bookmark: async () => ({ controller: 'hosts', query: 'name = a', public: true }),
  user_mail_notification: async () => ({ mail_notification_id: 1, interval: 'Daily' }),
  http_proxy: async () => ({ url: 'http://proxy.example.test:3128' }),
  auth_source_oidc: async () => ({ issuer: 'https://login.example.test' }),
  subnet: async () => ({ network: freeNetwork(), mask: '255.255.255.0' }),
  second_factor: async () => ({ kind: 'totp' }),
  medium: async () => ({ path: `https://example.test/${unique('medium')}` }),
  operatingsystem: async () => ({ major: '1' }),
  provisioning_template: async (caller, { snippet, template_kind_name }) =>
    snippet || template_kind_name ? {} : { template_kind_id: await templateKindId(caller) },
  os_default_template: async (caller) => ({ template_kind_id: await templateKindId(caller) }),
  user: async () => {
    const login = unique('login')
    return { login, mail: `${login}@example.test`, password: 'long enough', auth_source_id: 1 }
  },
  filter: async (caller) => ({ permission_ids: [await permissionId(caller, 'view_users')] }),
}

/** Yields the id of a permission. */
export async function permissionId(caller: Caller, name: string): Promise<number> {
  const { body } = await caller.get(`/api/permissions/${name}`)
  return body.id
}

/** Yields the id of the default kind of templates in tests. */
async function templateKindId(caller: Caller): Promise<number> {
  const { body } = await caller.get('/api/template_kinds?search=name+%3D+provision')
  return body.results[0].id
}

let networks = 0

/** Yields a network of 256 addresses that no other subnet uses. */
export function freeNetwork(): string {
  networks += 1
  return `10.${networks >> 8}.${networks & 255}.0`
}
