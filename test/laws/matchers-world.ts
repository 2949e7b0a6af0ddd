import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { BEHIND_PROXY } from '../registration/clients.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { type Body, given, type Shown } from '../support/given.ts'

/** Occurs in every text and value of the other organization. */
export const CANARY = 'canary'

const ORDER = [
  ...['fqdn', 'certname', 'name', 'shortname', 'hostgroup,domain', 'fqdn,hostgroup', 'hostgroup,comment', 'hostgroup'],
  ...['organization,location', 'organization', 'location', 'domain', 'environment', 'subnet', 'owner', 'comment'],
  ...['kernel', 'tier', 'os', 'is_virtual'],
].join('\n')

/** Two organizations with a host, a group and a domain each, and one parameter with overrides for hosts of both. */
export interface MatcherWorld extends AsyncDisposable {
  readonly api: TestApi
  /** A caller in the first organization only, with all permissions except those for shared overrides. */
  readonly editor: Caller & { readonly id: number; readonly authorization: string }
  readonly permissions: readonly string[]
  readonly places: { readonly own: Body; readonly other: Body }
  readonly parameter: Shown
  readonly own: { readonly host: Shown; readonly hostgroup: Shown; readonly domain: Shown }
  readonly other: { readonly host: Shown; readonly hostgroup: Shown; readonly domain: Shown }
  readonly environment: Shown
  readonly configclass: Shown
  /** Match texts that the editor sees and may write. */
  readonly near: readonly string[]
  /** Match texts that the editor does not see, with the ids of their overrides. */
  readonly far: ReadonlyMap<string, number>
  /** Yields a digest of everything stored about unreachable overrides. */
  readonly digest: () => Promise<string>
}

export async function openMatcherWorld(): Promise<MatcherWorld> {
  const api = await openTestApi({ env: { ...BEHIND_PROXY, MILLWRIGHT_VENDOR_PORT: '0' } })
  const { admin } = api
  const place = async (name: string) => ({
    organization: await given(admin, 'organization', { name: `${name}-org` }),
    location: await given(admin, 'location', { name: `${name}-loc` }),
  })
  const [mine, theirs] = [await place('own'), await place(CANARY)]
  const both = {
    organization_ids: [mine.organization.id, theirs.organization.id],
    location_ids: [mine.location.id, theirs.location.id],
  }
  const environment = await given(admin, 'environment', { name: 'shared_env', ...both })
  const configclass = await given(admin, 'configclass', { environment_ids: [environment.id] })
  const side = async (name: string, { organization, location }: typeof mine) => {
    const places = { organization_ids: [organization.id], location_ids: [location.id] }
    const hostgroup = await given(admin, 'hostgroup', {
      name: `${name}-group`,
      configclass_ids: [configclass.id],
      ...places,
    })
    const domain = await given(admin, 'domain', { name: `${name}.test`, ...places })
    const host = await given(admin, 'host', {
      name: `${name}-host.${name}.test`,
      managed: false,
      comment: `${name} comment`,
      environment_id: environment.id,
      hostgroup_id: hostgroup.id,
      domain_id: domain.id,
      organization_id: organization.id,
      location_id: location.id,
    })
    return { host, hostgroup, domain, places }
  }
  const [own, other] = [await side('own', mine), await side(CANARY, theirs)]
  const parameter = await importedParameter(api, {
    configclass,
    parameter: 'greeting',
    default_value: '"hello"',
    columns: { override: true, parameter_type: 'string', override_value_order: ORDER },
  })
  const near = [
    `fqdn=${own.host.name}`,
    `certname=${own.host.name}`,
    `hostgroup=${own.hostgroup.title},domain=${own.domain.name}`,
    `fqdn=${own.host.name},hostgroup=${own.hostgroup.title}`,
    `hostgroup=${own.hostgroup.title},comment=own comment`,
    `hostgroup=${own.hostgroup.title}`,
    `organization=${mine.organization.title},location=${mine.location.title}`,
  ]
  const far = [
    ...[
      `fqdn=${other.host.name}`,
      `certname=${other.host.name}`,
      `name=${other.host.name}`,
      `shortname=${CANARY}-host`,
    ],
    `hostgroup=${own.hostgroup.title},domain=${other.domain.name}`,
    `fqdn=${other.host.name},hostgroup=${own.hostgroup.title}`,
    `fqdn=${own.host.name},hostgroup=${other.hostgroup.title}`,
    `hostgroup=${other.hostgroup.title},comment=own comment`,
    `hostgroup=${other.hostgroup.title}`,
    `organization=${theirs.organization.title},location=${mine.location.title}`,
    ...[`organization=${mine.organization.title}`, `organization=${theirs.organization.title}`],
    ...[`location=${mine.location.title}`, `location=${theirs.location.title}`],
    ...[`domain=${own.domain.name}`, `domain=${other.domain.name}`, 'environment=shared_env', `subnet=${CANARY}`],
    ...[`owner=${CANARY}`, `comment=${CANARY} comment`, `kernel=${CANARY}`, `tier=${CANARY}`, `os=${CANARY} 12`],
    ...['is_virtual=true', `fqdn=gone.${CANARY}.test`, 'hostgroup=gone,domain=gone.test'],
  ]
  const ids = new Map<string, number>()
  for (const [index, match] of [...near, ...far].entries()) {
    const value = near.includes(match) ? `own value ${index}` : `${CANARY} value ${index}`
    // Some name records that do not exist, as after a rename or a deletion.
    const made = await row<{ id: number }>(
      api.database.db,
      sql`insert into override_values (smart_class_parameter_id, match, value)
        values (${parameter.id}, ${match}, ${JSON.stringify(value)}::jsonb) returning id`,
    )
    ids.set(match, made?.id ?? 0)
  }
  const { body } = await admin.get('/api/permissions?per_page=all')
  const permissions = (body.results as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !name.includes('_shared_override_values'))
  const editor = await api.can(permissions, own.places)
  const farIds = far.map((match) => ids.get(match) ?? 0)
  return {
    ...{ api, editor, permissions, parameter, environment, configclass, near },
    places: { own: own.places, other: other.places },
    own,
    other,
    far: new Map(far.map((match, index) => [match, farIds[index] ?? 0])),
    digest: async () => {
      const stored = await rows(
        api.database.db,
        sql`select o.id, o.smart_class_parameter_id, o.match, o.value::text, o.omit, o.updated_at::text
          from override_values o where o.id = any (${farIds}::bigint[]) order by o.id`,
      )
      return JSON.stringify(stored)
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}
