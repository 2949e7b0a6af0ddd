import { z } from 'zod'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { membersOf } from '../../lib/values.ts'
import type { Input, Route } from '../../requests/route.ts'
import { joinSearches, NOTHING, presentWhole } from '../filtered-lists.ts'

/**
 * Routes about the whole server: states of hosts, permissions of the caller, and features that this service does not have.
 */
export function overviewRoutes(routes: readonly Route[]): Route[] {
  const [hosts, permissions, caller] = NEEDED.map((id) => routes.find((route) => route.id === id))
  if (!hosts || !permissions || !caller) return []
  return [
    {
      ...buildOverview('/api/dashboard', 'dashboard.list', 'Count hosts by their states', 'view_hosts'),
      query: z.object({ search: z.string().optional().meta({ description: 'Counts only hosts that it finds.' }) }),
      handle: async (ctx, input) => ({ status: 200, body: await countStates(ctx, hosts, input) }),
    },
    {
      ...buildOverview(
        '/api/host_statuses',
        'host_statuses.list',
        'Count hosts by how far their installation is',
        'view_hosts',
      ),
      handle: async (ctx) => ({ status: 200, body: presentWhole([await countInstallations(ctx, hosts)]) }),
    },
    {
      ...buildOverview('/api/plugins', 'plugins.list', 'List plugins', null),
      handle: async () => ({ status: 200, body: presentWhole([]) }),
    },
    {
      ...buildOverview(
        '/api/instance_hosts',
        'instance_hosts.list',
        'List hosts that the service itself runs on',
        'view_hosts',
      ),
      handle: async () => ({ status: 200, body: presentWhole([]) }),
    },
    ...(['PUT', 'DELETE'] as const).map((method) => ({
      ...buildOverview(
        '/api/instance_hosts/:id',
        `instance_hosts.${method === 'PUT' ? 'update' : 'delete'}`,
        INSTANCE,
        'edit_hosts',
      ),
      method,
      handle: async () => {
        throw invalid({ base: ['Which hosts the service itself runs on is not kept here'] })
      },
    })),
    {
      ...buildOverview(
        BUILD_PXE,
        'provisioning_templates.build_pxe_default',
        'Write the default menu to TFTP servers',
        DEPLOYS,
      ),
      method: 'POST',
      handle: async () => {
        throw invalid({ base: ["No TFTP proxies that could be written to from here, can't continue"] })
      },
    },
    { ...caller, path: '/api/users/extlogin', id: 'users.extlogin', group: 'users', beginsSession: true },
    {
      ...permissions,
      path: '/api/permissions/current_permissions',
      id: 'permissions.current_permissions',
      summary: 'List the permissions of the caller',
      access: { kind: 'login' },
      handle: async (ctx) => ({ status: 200, body: presentWhole(await listOwnPermissions(ctx, permissions)) }),
    },
  ]
}

const NEEDED = ['hosts.list', 'permissions.list', 'service.current_user']
const INSTANCE = 'Say whether the service itself runs on a host'
const BUILD_PXE = '/api/provisioning_templates/build_pxe_default'
const DEPLOYS = 'edit_provisioning_templates'

function buildOverview(path: string, id: string, summary: string, permission: string | null) {
  const needs = permission === null ? ({ kind: 'login' } as const) : permissionTo(permission)
  return {
    method: 'GET' as Route['method'],
    path,
    id,
    group: id.split('.', 1)[0] ?? id,
    summary,
    access: needs,
    answers: { 200: z.json() },
  }
}

function permissionTo(permission: string): Route['access'] {
  return { kind: 'permission', anyOf: [permission], own: false }
}

interface PermissionName {
  readonly name: string
}

/** Lists the permissions of the caller, who may not be allowed to list all permissions. */
async function listOwnPermissions(ctx: Context, permissions: Route): Promise<readonly PermissionName[]> {
  const { access } = permissions
  const names = access.kind === 'permission' ? access.anyOf : []
  const all = [{ search: null, organizations: null, locations: null }]
  const grants = new Map([...ctx.user.grants, ...names.map((name) => [name, all] as const)])
  const asked = { ...ctx, user: { ...ctx.user, grants } }
  const { body } = await permissions.handle(asked, { ...NOTHING, query: { per_page: 'all' } })
  const { results } = body as { readonly results: readonly PermissionName[] } // a page of permissions
  return ctx.user.admin ? results : results.filter(({ name }) => ctx.user.grants.has(name))
}

async function countStates(ctx: Context, hosts: Route, { query }: Input): Promise<Readonly<Record<string, unknown>>> {
  const { config_interval: interval, outofsync_interval: late } = ctx.settings
  const recent = `last_report > "${interval + late} minutes ago"`
  const counts: Record<string, number> = {}
  for (const [name, { search }] of Object.entries(STATES))
    counts[name] = await countHosts(ctx, hosts, joinSearches(query.search, `(${search.replaceAll(RECENT, recent)})`))
  const { total_hosts: total = 0, good_hosts_enabled: good = 0 } = counts
  const glossary = Object.fromEntries(Object.entries(STATES).map(([name, { means }]) => [name, means]))
  return {
    ...counts,
    percentage: total === 0 ? 0 : Math.trunc((good * 100) / total),
    glossary: { ...glossary, percentage: 'Hosts without errors percent' },
  }
}

const RECENT = '$recent'
const ERRORS = '(status.failed > 0 or status.failed_restarts > 0 or status.skipped > 0)'
const CHANGES = '(status.applied > 0 or status.restarted > 0)'
const ENABLED = 'status.enabled = true'

/** The counted states, each with the search for its hosts and its explanation. */
const STATES: Readonly<Record<string, { readonly search: string; readonly means: string }>> = {
  total_hosts: { search: 'id > 0', means: 'Total hosts count' },
  ...withEnabled('bad_hosts', `${RECENT} and ${ERRORS}`, 'Hosts with error state'),
  active_hosts: { search: `${RECENT} and ${CHANGES}`, means: 'Hosts which recently applied changes' },
  ...withEnabled(
    'active_hosts_ok',
    `${RECENT} and ${CHANGES} and not ${ERRORS}`,
    'Hosts which recently applied changes successfully',
  ),
  ...withEnabled(
    'ok_hosts',
    `${RECENT} and not ${CHANGES} and not ${ERRORS} and not status.pending > 0`,
    'Hosts without changes or errors',
  ),
  ...withEnabled('out_of_sync_hosts', `has last_report and not ${RECENT}`, 'Out of sync hosts'),
  disabled_hosts: { search: `not ${ENABLED}`, means: 'Hosts with alerts disabled' },
  ...withEnabled('pending_hosts', `${RECENT} and status.pending > 0`, 'Hosts that had pending changes'),
  ...withEnabled('good_hosts', `${RECENT} and not ${ERRORS}`, 'Hosts without errors'),
  reports_missing: { search: 'null? last_report', means: 'Hosts which are not reporting' },
}

function withEnabled(name: string, search: string, means: string) {
  return {
    [name]: { search, means },
    [`${name}_enabled`]: { search: `${search} and ${ENABLED}`, means: `${means} with alerts enabled` },
  }
}

const INSTALLATIONS = [
  ['built', 'Installed', 0],
  ['pending', 'Pending installation', 0],
  ['token_expired', 'Token expired', 2],
  ['build_failed', 'Installation error', 2],
] as const

/**
 * Counts the hosts that wait for their installation, that are installed and that are not, and those of the caller among
 * them.
 */
async function countInstallations(ctx: Context, hosts: Route): Promise<unknown> {
  const details: unknown[] = []
  for (const [state, label, global] of INSTALLATIONS) {
    const search = `build_status = ${state}`
    const total = await countHosts(ctx, hosts, search)
    const owned = await countHosts(ctx, hosts, `owner = current_user and ${search}`)
    details.push({ label, global_status: global, total, owned, total_path: null, owned_path: null })
  }
  const paths = ['ok', 'warn', 'error'].flatMap((state) => [`${state}_total_path`, `${state}_owned_path`])
  return { name: 'Build', description: null, ...Object.fromEntries(paths.map((path) => [path, null])), details }
}

async function countHosts(ctx: Context, hosts: Route, search: string): Promise<number> {
  const { body } = await hosts.handle(ctx, { ...NOTHING, query: { search, per_page: 1 } })
  return Number(membersOf(body).subtotal)
}
