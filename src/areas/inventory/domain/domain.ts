import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { defineResource, link, links, type Stored, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { lowerCase } from '../../../records/coerced.ts'
import { refuseWhileLinked } from '../../../records/linked.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { sql } from '../../../sql.ts'
import { HIDDEN_QUERY } from '../../access/index.ts'
import { ownParamSearch, parameterParts, presentParameters } from '../../parameters/index.ts'
import { NAMED_BY_PLACES } from '../host/interface-fields.ts'

const KEYS = ['fullname', 'created_at', 'updated_at', 'id', 'name', 'dns_id', 'dns']

/** Labels of host names, separated by dots. Blank text matches, because `required` has a message of its own for it. */
const DOMAIN_NAME = /^$|^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/

const fields = {
  name: lowerCase(
    text({
      required: true,
      pattern: {
        regexp: DOMAIN_NAME,
        message: 'is not a domain name: labels of letters, digits, hyphens and underscores, with dots between them',
      },
      search: 'free',
      doc: 'Unique, without a dot at the end; stored in lower case.',
    }),
  ),
  fullname: text({ max: 254, search: 'free', doc: 'Optional note.' }),
  dns: link('smart_proxy', { show: ['id', 'name', 'url'], doc: 'Smart proxy for its DNS records.' }),
  subnets: links('subnet', {
    through: 'subnet_domains',
    show: ['id', 'name', 'network_address'],
    readOnly: true,
    doc: 'Subnets of the hosts in the domain.',
  }),
  interfaces: children('interface', {
    by: 'domain_id',
    show: NAMED_BY_PLACES,
    doc: 'Interfaces of hosts in it.',
  }),
  parameters: parameterParts('domain'),
  ...buildTaxonomyFields('domain'),
}

type DomainFields = typeof fields

/** Domains (core-api §11). */
export const domains = defineResource({
  name: 'domain',
  summary: 'A DNS domain for the names of hosts.',
  fields: fields,
  label: 'name',
  search: [ownParamSearch('domain')],
  views: {
    query: HIDDEN_QUERY,
    list: KEYS,
    show: [...KEYS, 'subnets', 'interfaces', 'parameters', 'locations', 'organizations'],
    transform: presentParameters,
  },
  visibility: { taxable: true },
  routes: { parents: { subnet: 'subnets' } },
  wrapWrite: {
    async update(ctx, stored, draft, next) {
      if (draft.name !== undefined && draft.name !== stored.name) await refuseWhileNaming(ctx, stored)
      await next(draft)
    },
    async delete(ctx, stored, next, { registry }) {
      await refuseWhileLinked(ctx, registry, stored, { target: 'subnet', ids: stored.subnets, label: stored.name })
      await next()
    },
  },
})

/**
 * Refuses to rename or delete a domain while names of hosts end with it: hosts, and their certificates, keep their
 * names. {@throws Failure} invalid
 */
async function refuseWhileNaming(ctx: Context, { id, name }: Stored<DomainFields>): Promise<void> {
  const found = await row<{ hosts: number }>(
    ctx.db,
    sql`select count(*) as hosts from interfaces i
      where i.domain_id = ${id} and right(i.name, length(${name}::text) + 1) = '.' || ${name}::text`,
  )
  const { hosts = 0 } = found ?? {}
  if (hosts === 0) return
  const what = hosts === 1 ? 'the name of an interface ends' : `the names of ${hosts} interfaces end`
  throw invalid({ name: [`cannot be changed while ${what} with it: make another domain and move the hosts`] }, id)
}
