import type { Settings } from '../../../settings/settings.ts'
import type { HostValue, TemplateFunction } from '../../../templates/index.ts'
import { TEMPLATE_SETTINGS } from '../../../words/template-names.ts'

/** The settings that templates may read: none about accounts and logins. */
const READABLE = [
  'server_url',
  'entries_per_page',
  'proxy_request_timeout',
  'administrator',
  'http_proxy',
  'http_proxy_except_list',
  'ignored_interface_identifiers',
  'token_duration',
  'outofsync_interval',
  'default_pxe_item_global',
  'default_pxe_item_local',
  'default_config_environment',
]

/** The values of the settings that templates may read. */
export function listReadableSettings(settings: Settings): ReadonlyMap<string, Settings[keyof Settings]> {
  return new Map(Object.entries(settings).filter(([name]) => READABLE.includes(name)))
}

/** Creates the template function `global_setting('name', 'default if blank')`. */
export function createSettingReader(settings: Settings): TemplateFunction {
  const readable = listReadableSettings(settings)
  return ({ args: [asked, otherwise = null], fail }) => {
    const name = nameOf(asked)
    const own = name in TEMPLATE_SETTINGS ? TEMPLATE_SETTINGS[name] : name
    if (own !== null && (own === undefined || !READABLE.includes(own)))
      return fail(`templates may read these settings only: ${[...readable.keys()].join(', ')}`)
    const value = own === null ? undefined : readable.get(own)
    if (value === undefined || value === '') return otherwise ?? (value === undefined ? null : '')
    return own === 'http_proxy' ? withoutLogin(String(value)) : (value as HostValue) // text, number, boolean or a list
  }
}

function nameOf(asked: HostValue): string {
  return typeof asked === 'object' && asked !== null && 'name' in asked ? String(asked.name) : String(asked)
}

/** Removes user and password from a URL, because authors of templates need not know them. */
function withoutLogin(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/@]*@/i, '$1')
}
