import type { Context } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { BLANK } from '../../kernel/fields/values.ts'
import type { Around, Draft, Fields, Stored } from '../../kernel/resource.ts'
import { TAXONOMIES } from '../../kernel/scope.ts'
import { classesFor } from '../configclass/of-hosts.ts'
import { keepOrganization } from '../host-content/organization.ts'
import { removeOverridesFor } from '../override-value/gone.ts'
import { renameMatches } from '../override-value/renames.ts'
import { sealedPassword } from '../root-password.ts'
import { refuseForeign } from './belonging.ts'
import { inheritedFrom } from './inheritance.ts'
import { domainOfPrimary, fullName } from './naming.ts'
import { changeNetwork, makeNetwork, type Network } from './network.ts'
import { type Owner, ownerColumns } from './owner.ts'

const NO_NETWORK: Network = { primary: {}, items: [] }

/** What happens around the writes of hosts (core-api §1.5): values of the group, the full name, interfaces, the owner. */
export const hostWrites: Around<Fields> = {
  async create(ctx, draft, next, resource) {
    const network = networkOf(draft)
    const inherited = await inheritedFrom(ctx, draft.hostgroup)
    const primary = { ...inherited.primary, ...network.primary }
    const naming = await fullName(ctx, String(draft.name), numberOf(primary.domain), null, {
      ...inherited.host,
      ...draft,
    })
    const values: Draft = { managed: true, ...inherited.host, ...own(draft), name: naming.name }
    refuseHomeless(values, null)
    const id = await next({
      ...values,
      ...(await classesFor(ctx, values, null)),
      ...(await ownerColumns(draft.owner as Owner | undefined, null, ctx.user.id)), // as its field reads it
      ...(await sealedPassword(ctx, values, null, values.operatingsystem)),
      ...building(ctx, values, null),
    })
    await makeNetwork(ctx, resource, id, naming, { ...network, primary: { ...primary, domain: naming.domain } })
    await refuseForeign(ctx, resource, id, { organization: values.organization, location: values.location })
    return id
  },

  async update(ctx, stored, draft, next, resource) {
    const network = networkOf(draft)
    const moves = draft.hostgroup !== undefined && draft.hostgroup !== stored.hostgroup_id
    const inherited = await inheritedFrom(ctx, moves ? draft.hostgroup : null)
    const values: Draft = { ...inherited.host, ...own(draft) }
    if (isShownName(draft, stored)) delete values.certname
    refuseHomeless(values, stored)
    await keepOrganization(ctx, stored, values)
    const primary: Draft = { ...inherited.primary, ...network.primary }
    const renamed = await rename(ctx, stored, draft, primary)
    const system = values.operatingsystem === undefined ? stored.operatingsystem_id : values.operatingsystem
    await next({
      ...values,
      ...renamed.values,
      ...(await classesFor(ctx, values, stored)),
      ...(await ownerColumns(draft.owner as Owner | undefined, stored, ctx.user.id)), // as its field reads it
      ...(await sealedPassword(ctx, values, stored, system)),
      ...building(ctx, values, stored),
    })
    await changeNetwork(ctx, resource, stored.id, { ...network, primary: { ...primary, ...renamed.primary } })
    await refuseForeign(ctx, resource, stored.id, {
      organization: values.organization === undefined ? stored.organization_id : values.organization,
      location: values.location === undefined ? stored.location_id : values.location,
    })
    if (renamed.values.name !== undefined)
      await renameMatches(ctx, 'fqdn', String(stored.name), String(renamed.values.name))
  },

  async delete(ctx, stored, next, { registry }) {
    await next()
    await removeOverridesFor(ctx, registry, 'fqdn', String(stored.name))
  },
}

function placeOf({ organization_id, location_id }: Stored): Draft {
  return { organization: organization_id, location: location_id }
}

/** What is kept in the host's own row. */
function own({ interfaces: _interfaces, owner: _owner, ...values }: Draft): Draft {
  return values
}

/** The name that is shown while no other is chosen for the certificate, sent again: that chooses none. */
function isShownName({ name, certname }: Draft, stored: Stored): boolean {
  return stored.certname === null && certname === stored.name && (name === undefined || name === stored.name)
}

function networkOf({ interfaces }: Draft): Network {
  return (interfaces as Network | undefined) ?? NO_NETWORK // as its field reads it
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** A managed host belongs somewhere (core-api §1.5). */
function refuseHomeless(values: Draft, stored: Stored | null): void {
  if (!(values.managed ?? stored?.managed)) return
  const errors: FieldErrors = {}
  for (const { kind } of TAXONOMIES) {
    const place = values[kind] === undefined ? stored?.[`${kind}_id`] : values[kind]
    if ((place ?? null) === null) errors[`${kind}_id`] = [BLANK]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors, stored?.id ?? null)
}

/** When an installation was asked for; what went wrong before is no longer said. */
function building(ctx: Context, { build }: Draft, stored: Stored | null): Draft {
  if (build !== true || stored?.build === true) return {}
  return { initiated_at: ctx.now().toISOString(), installed_at: null, build_errors: null }
}

/**
 * A new name of the host is that of its primary interface too, and the domain of that interface is part of the name:
 * what changes of the one and of the other.
 */
async function rename(
  ctx: Context,
  stored: Stored,
  { name, ...placed }: Draft,
  primary: Draft,
): Promise<{ readonly values: Draft; readonly primary: Draft }> {
  if (name === undefined && primary.domain === undefined) return { values: {}, primary: {} }
  const before = await domainOfPrimary(ctx, stored.id)
  const short = name === undefined || !String(name).includes('.')
  const chosen = primary.domain === undefined ? (short ? before : null) : numberOf(primary.domain)
  const naming =
    primary.domain === null
      ? { name: String(name ?? stored.name), domain: null }
      : await fullName(ctx, String(name ?? stored.name), chosen, before, { ...placeOf(stored), ...placed })
  const renames = naming.name !== stored.name
  return {
    values: renames ? { name: naming.name } : {},
    primary: { ...(renames && { name: naming.name }), domain: naming.domain },
  }
}
