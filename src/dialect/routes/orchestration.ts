import { z } from 'zod'
import type { Context } from '../../context.ts'
import { Failure, invalid } from '../../errors.ts'
import { isMembers, type Members } from '../../lib/values.ts'
import type { Input, Route } from '../../requests/route.ts'
import { NOTHING } from '../filtered-lists.ts'
import { lendView } from './power.ts'

/**
 * Routes for requests about the machines, DHCP, DNS and TFTP servers of a host. This service reaches none of them, so that
 * each answers as for a host without them, and reports a failure for a host that has some.
 */
export function orchestrationRoutes(routes: readonly Route[]): Route[] {
  const [show, list, update, group, subnet, domain] = NEEDED.map((id) => routes.find((route) => route.id === id))
  if (!show || !list || !update || !group || !subnet || !domain) return []
  const servers: Servers = { subnet, domain }
  return [
    {
      ...buildHostRoute('GET', 'vm_compute_attributes', 'view_hosts', 'Show the attributes of the machine of a host'),
      handle: async (ctx, { params }) => {
        await show.handle(ctx, { ...NOTHING, params })
        return { status: 200, body: {} }
      },
    },
    {
      ...buildHostRoute('PUT', 'disassociate', 'edit_hosts', 'Let a host be without a machine of a compute resource'),
      answers: update.answers,
      handle: (ctx, { params }) => {
        const host = { compute_resource_id: null, uuid: null }
        return update.handle(ctx, { ...NOTHING, params, body: { host } })
      },
    },
    {
      ...buildHostRoute('PUT', 'boot', BOOTS, 'Boot a host from a device'),
      body: z.object({ device: z.string().meta({ description: `One of ${DEVICES.join(', ')}.` }) }),
      handle: async (ctx, { params, body: { device } }) => {
        const { body } = await show.handle(lendView(ctx, BOOTS), { ...NOTHING, params })
        const { id, name } = body as Host
        const known = DEVICES.some((each) => each === device)
        const reason = known
          ? `No BMC NIC available for host ${name}`
          : `Unknown device: available devices are ${DEVICES.join(', ')}`
        throw invalid({ base: [reason] }, id)
      },
    },
    {
      ...buildHostRoute('PUT', 'rebuild_config', BUILDS, 'Write what servers keep of a host anew'),
      body: z.object({ only: ONLY }),
      handle: async (ctx, { params, body }) => {
        const { body: host } = await show.handle(lendView(ctx, BUILDS), { ...NOTHING, params })
        const { id, ...others } = host as Host
        const steps = await listSteps(ctx, others, servers, body)
        if (steps.length > 0) throw invalid({ base: [`Configuration rebuild failed for: ${inSentence(steps)}.`] }, id)
        return REBUILT
      },
    },
    {
      ...buildHostRoute(
        'PUT',
        'rebuild_config',
        'edit_hostgroups',
        'Write what servers keep of the hosts of a group anew',
      ),
      path: '/api/hostgroups/:id/rebuild_config',
      id: 'hostgroups.rebuild_config',
      group: 'hostgroups',
      body: z.object({
        only: ONLY,
        children_hosts: z.boolean().optional().meta({ description: 'Whether hosts of the groups in it count, too.' }),
      }),
      handle: async (ctx, { params, body }) => {
        const { id, title } = (await group.handle(ctx, { ...NOTHING, params })).body as Group
        const within = body.children_hosts === true || body.children_hosts === 'true'
        const search = within ? `parent_hostgroup = ${JSON.stringify(title)}` : `hostgroup_id = ${id}`
        const page = (await list.handle(ctx, { ...NOTHING, query: { search, per_page: 'all' } })).body
        const { results } = page as { readonly results: readonly Host[] } // the answer of a list
        const failed: string[] = []
        for (const host of results) {
          const steps = await listSteps(ctx, host, servers, body)
          if (steps.length > 0) failed.push(`${host.name}(${steps.join(', ')})`)
        }
        if (failed.length > 0) throw invalid({ base: [`Configuration rebuild failed for: ${inSentence(failed)}.`] }, id)
        return REBUILT
      },
    },
  ]
}

const NEEDED = ['hosts.show', 'hosts.list', 'hosts.update', 'hostgroups.show', 'subnets.show', 'domains.show']
const BOOTS = 'ipmi_boot_hosts'
const BUILDS = 'build_hosts'
const DEVICES = ['disk', 'cdrom', 'pxe', 'bios'] as const
const ONLY = z.array(z.string()).optional().meta({ description: 'Steps that are to be done: DHCP, DNS, TFTP.' })
const REBUILT = { status: 200, body: { message: 'Configuration successfully rebuilt.' } }

interface Host extends Members {
  readonly id: number
  readonly name: string
}

interface Group {
  readonly id: number
  readonly title: string
}

type ShownHost = Omit<Host, 'id'> | Host

function buildHostRoute(method: 'GET' | 'PUT', action: string, permission: string, summary: string) {
  return {
    method,
    path: `/api/hosts/:id/${action}`,
    id: `hosts.${action}`,
    group: 'hosts',
    summary,
    access: { kind: 'permission', anyOf: [permission], own: false } as const,
    answers: { 200: z.json() },
  }
}

/** The keys of a host that name such servers. */
interface Servers {
  readonly subnet: Route
  readonly domain: Route
}

/** Lists the steps that would write something: those of a managed host whose subnet or domain names a server. */
async function listSteps(
  ctx: Context,
  host: ShownHost,
  { subnet, domain }: Servers,
  body: Input['body'],
): Promise<string[]> {
  if (host.managed === false) return []
  const network = await showKnown(ctx, subnet, host.subnet_id)
  const zone = await showKnown(ctx, domain, host.domain_id)
  const named: Readonly<Record<string, unknown>> = {
    DHCP: network.dhcp_id,
    DNS: zone.dns_id ?? network.dns_id,
    TFTP: network.tftp_id,
  }
  const only = Array.isArray(body.only) ? body.only.map((step) => String(step).toUpperCase()) : []
  return Object.keys(named).filter((step) => named[step] && (only.length === 0 || only.includes(step)))
}

/** Shows a linked record; empty when it does not exist or the caller may not see it. */
async function showKnown(ctx: Context, show: Route, id: unknown): Promise<Members> {
  if (id === null || id === undefined) return {}
  const answer = await show.handle(ctx, { ...NOTHING, params: { id: String(id) } }).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  })
  return isMembers(answer?.body) ? answer.body : {}
}

function inSentence(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
