import type { Context } from '../../../context.ts'
import { HostObject, type HostValue, type TemplateFunction } from '../../../templates/index.ts'
import { buildServerFunctions, resolveServerUrl } from '../rendering/addresses.ts'
import { withTheirNames } from '../rendering/host-functions.ts'
import { createSettingReader } from '../rendering/readable-settings.ts'
import { createClosedReader } from '../rendering/readers.ts'

type Functions = Readonly<Record<string, TemplateFunction>>

/** Builds the functions of reports that read inputs, settings and what belongs to a host. */
export function buildReportFunctions(ctx: Context, inputs: ReadonlyMap<string, string | null>): Functions {
  return withTheirNames({
    input: ({ args: [name], fail }) => {
      const known = String(name)
      return inputs.has(known)
        ? (inputs.get(known) ?? '')
        : fail(`there is no input '${known}' in the comment at the head`)
    },
    global_setting: createSettingReader(ctx.settings),
    'plugin_present?': () => false,
    ...buildServerFunctions(resolveServerUrl(ctx)),
    host_status: ({ args: [host, name], fail }) => {
      const kind = String(name ?? '').toLowerCase()
      return (
        statusOf(host, kind) ??
        fail(`there is no status '${kind}' of a host; there are ${listStatuses(host).join(', ')}`)
      )
    },
    all_host_statuses: ({ args: [host] }) => listStatuses(host).map((kind) => statusOf(host, kind)),
    all_host_statuses_hash: ({ args: [host] }) =>
      new Map(listStatuses(host).map((kind) => [titleOf(kind), readMethod(host, `${kind}_status_label`)])),
    host_content_facet: ({ args: [host] }) => readMethod(host, 'content_facet_attributes'),
    host_subscription_facet: ({ args: [host] }) => readMethod(host, 'subscription_facet_attributes'),
    last_checkin: ({ args: [host] }) => readFacet(host, 'last_checkin'),
    registered_at: ({ args: [host] }) => readFacet(host, 'registered_at'),
    errata_counts: () => new Map(['security', 'bugfix', 'enhancement', 'total'].map((kind) => [kind, 0])),
    host_products_names: () => [],
    host_collections_names: ({ args: [host] }) => namesOf(readMethod(host, 'host_collections')),
    host_redhat_subscriptions: () => [],
    user_auth_source_name: ({ args: [user] }) => readMethod(user, 'auth_source_name'),
    ...Object.fromEntries(
      ['kernel_release', 'uptime_seconds', 'memory', 'sockets', 'cores', 'virtual'].map((name) => [
        `host_${name}`,
        (({ args: [host] }) => readMethod(host, name === 'memory' ? 'ram' : name)) satisfies TemplateFunction,
      ]),
    ),
  })
}

const STATUS = /^([a-z_]+)_status_label$/

function listStatuses(host: HostValue): readonly string[] {
  if (!(host instanceof HostObject)) return []
  return [...host.methods.keys()].flatMap((name) => STATUS.exec(name)?.[1] ?? [])
}

function statusOf(host: HostValue, kind: string): HostValue {
  if (!listStatuses(host).includes(kind)) return null
  const label = readMethod(host, `${kind}_status_label`)
  const text = label === null ? '' : String(label)
  return createClosedReader(
    'status',
    () => ({ name: titleOf(kind), status: readMethod(host, `${kind}_status`), to_label: text, to_s: text }),
    text,
  )
}

function titleOf(kind: string): string {
  return kind.replace(/(^|_)([a-z])/g, (_all, before: string, letter: string) => (before && ' ') + letter.toUpperCase())
}

/** Reads a value of a reader; null where there is none of this name. */
function readMethod(of: HostValue, name: string): HostValue {
  const value = of instanceof HostObject ? of.methods.get(name) : null
  return typeof value === 'function' || value === undefined ? null : value
}

function readFacet(host: HostValue, name: string): HostValue {
  return readMethod(readMethod(host, 'subscription_facet_attributes'), name)
}

function namesOf(list: HostValue): readonly HostValue[] {
  return Array.isArray(list) ? list.map((one: HostValue) => readMethod(one, 'name')) : []
}
