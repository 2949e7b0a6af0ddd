import type { Context } from '../../../context.ts'
import { Hash, type HostValue, Sym, type TemplateFunction } from '../../../templates/index.ts'
import type { HostData } from './host-data.ts'
import { parseHostname } from './network-readers.ts'
import type { ProvisioningData } from './surroundings.ts'

type Functions = Readonly<Record<string, TemplateFunction>>

const HOST = /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/

/**
 * Resolves the URL of this service for hosts: that of the setting, or else of the present request; null when unknown.
 */
export function resolveServerUrl({ settings, origin }: Context): string | null {
  if (settings.server_url !== '') return settings.server_url.replace(/\/+$/, '')
  if (origin.host === undefined || !HOST.test(origin.host)) return null
  return `${origin.secure ? 'https' : 'http'}://${origin.host}${origin.base ?? ''}`
}

const NO_URL = 'the setting server_url is blank: it says how hosts reach this service'

/** Builds the template functions that tell the URL of this service. */
export function buildServerFunctions(url: string | null): Functions {
  return {
    server_url: ({ fail }) => url ?? fail(NO_URL),
    server_fqdn: ({ fail }) => (url === null ? fail(NO_URL) : parseHostname(url)),
  }
}

/** Builds the template functions for requests of the machine to this service: its token, and URLs with it. */
export function buildAddressFunctions(
  url: string | null,
  token: string | null,
  host: HostData,
  around: ProvisioningData,
): Functions {
  const base = proxyUrlOf(host, around) ?? url
  return {
    token: () => token,
    unattended_url: ({ args: [action = 'provision', parameters, raw], named, fail }) => {
      if (base === null) return fail(NO_URL)
      // A hash as the last argument arrives as named arguments: if it is the only one, it is the one to be escaped.
      const [escaped, plain] =
        parameters === undefined ? [pairsOf(named), []] : [pairsOf(parameters), pairsOf(raw ?? named)]
      return formatAddress(base, action, token === null ? escaped : [...escaped, ['token', token]], plain)
    },
    // Boot disks append a hardware address, so that this parameter has to be the last one.
    chain_url: ({ args: [mac = macOf(host), action = 'iPXE'], fail }) => {
      if (base === null) return fail(NO_URL)
      const own: [string, string][] = token === null ? [] : [['token', token]]
      return formatAddress(base, action, [...own, ['mac', textOf(mac)]], [])
    },
    request_address: ({ fail }) => {
      if (base === null) return fail(NO_URL)
      return URL.canParse(base) ? new URL(base).host : base
    },
    default_template_url: ({ args: [template, group], fail }) => {
      if (base === null) return fail(NO_URL)
      const [name, title] = [template, group].map((each) => encodeURIComponent(textOf(each)))
      return `${base}/unattended/template/${name}/${title}`
    },
  }
}

function formatAddress(
  base: string,
  action: HostValue,
  escaped: [string, string][],
  plain: [string, string][],
): string {
  const query = new URLSearchParams(escaped).toString()
  const parts = [query, ...plain.map(([key, value]) => `${key}=${value}`)].filter((part) => part !== '')
  const path = `${base}/unattended/${encodeURIComponent(textOf(action))}`
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}

function macOf({ interfaces }: HostData): HostValue {
  return interfaces.find((each) => each.primary === true)?.mac ?? ''
}

/** The URL of the template proxy of the host's subnet, if it has one. */
function proxyUrlOf(host: HostData, { subnets }: ProvisioningData): string | null {
  const provision = host.interfaces.find((each) => each.provision === true)
  const subnet =
    subnets.find(({ id }) => id === provision?.subnet_id) ?? subnets.find(({ id }) => id === provision?.subnet6_id)
  const proxy = subnet?.proxies.template ?? null
  if (proxy === null) return null
  const url = proxy.settings?.template_url
  return (typeof url === 'string' && url !== '' ? url : proxy.url).replace(/\/+$/, '')
}

function pairsOf(given: HostValue | ReadonlyMap<string, HostValue>): [string, string][] {
  if (given instanceof Hash) return [...given.entries.values()].map(([key, value]) => [textOf(key), textOf(value)])
  return given instanceof Map ? [...given].map(([key, value]) => [textOf(key), textOf(value)]) : []
}

function textOf(given: HostValue): string {
  if (given === null || given === undefined) return ''
  if (given instanceof Sym) return given.name
  return typeof given === 'object' && 'text' in given ? String(given.text) : String(given)
}
