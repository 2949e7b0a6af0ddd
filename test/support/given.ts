import type { Place, Placed, Resource } from '../../src/kernel/resource.ts'
import { resources } from '../../src/resources/index.ts'
import { type Caller, expectCreated } from './api.ts'

export type Body = Readonly<Record<string, unknown>>

/** A record as an answer of the API shows it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every resource
export type Shown = Readonly<Record<string, any>> & { readonly id: number }

const registry = resources()

/** The resource of that name. */
export function resourceNamed(name: string): Resource {
  const resource = registry.get(name)
  if (!resource) throw new Error(`no resource is named ${name}`)
  return resource
}

/** A new record with what it needs: parents are made on demand, `overrides` are keys of the body. */
export async function given(caller: Caller, name: string, overrides: Body = {}): Promise<Shown> {
  const resource = resourceNamed(name)
  const body = { ...(await leastBody(caller, name, overrides)), ...overrides }
  return expectCreated(caller.post(await pathFor(caller, resource), { [name]: body }))
}

/** The smallest body that creates a record. */
export async function leastBody(caller: Caller, name: string, overrides: Body = {}): Promise<Body> {
  const own = await NEEDED[name]?.(caller, overrides)
  const body: Record<string, unknown> = { ...own }
  for (const { name: field, field: kind, at, column } of resourceNamed(name).placed) {
    const key = column?.name ?? field
    if (!kind.required || !(key in kind.writable(at)) || key in body || key in overrides) continue
    body[key] = kind.refersTo ? (await given(caller, kind.refersTo.resource)).id : unique(field)
  }
  return body
}

/** Where records of this resource are made and found; below a new parent when they exist nowhere else. */
export async function pathFor(caller: Caller, resource: Resource): Promise<string> {
  if (!resource.nestedOnly) return `/api/${resource.plural}`
  const [parent = ''] = Object.keys(resource.parents)
  const { id } = await given(caller, parent)
  return `/api/${resourceNamed(parent).plural}/${id}/${resource.plural}`
}

/** A path segment that names a record by its id, with a hyphen behind where that is allowed. */
export function segmentOf({ namedBy }: Resource, id: number): string {
  return namedBy === 'label' ? String(id) : `${id}-`
}

/** The resource that a link points at. */
export function targetOf({ name, field, at }: Placed): string {
  if (field.refersTo) return field.refersTo.resource
  let seen: string | undefined
  const watching: Place = {
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

let made = 0

/** A short text that nothing else has. */
export function unique(word: string): string {
  return `${word}${++made}`
}

// What the declarations say in rules instead of facts.
const NEEDED: Readonly<Record<string, (caller: Caller, overrides: Body) => Promise<Body>>> = {
  host: async () => ({ managed: false }),
  // Nobody is there: a proxy that is only a way to reach hosts need not answer.
  smart_proxy: async () => ({ url: `http://127.0.0.1:1/${unique('proxy')}`, runner: 'ssh' }),
  subnet: async () => ({ network: freeNetwork(), mask: '255.255.255.0' }),
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

/** The id of a permission. */
export async function permissionId(caller: Caller, name: string): Promise<number> {
  const { body } = await caller.get(`/api/permissions/${name}`)
  return body.id
}

/** The kind that templates are of when a test does not say. */
async function templateKindId(caller: Caller): Promise<number> {
  const { body } = await caller.get('/api/template_kinds?search=name+%3D+provision')
  return body.results[0].id
}

let networks = 0

/** A network of 256 addresses that no other subnet has. */
export function freeNetwork(): string {
  networks += 1
  return `10.${networks >> 8}.${networks & 255}.0`
}
