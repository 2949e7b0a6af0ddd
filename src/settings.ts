import { sql } from 'kysely'
import { type Db, rows } from './database/sql.ts'

/** What administrators may change while the service runs (core-api §11). The facts stand here, chosen values in the database. */
export const SETTINGS = {
  entries_per_page: {
    type: 'integer',
    default: 20,
    min: 1,
    max: 1_000_000,
    category: 'General',
    fullName: 'Entries per page',
    description: 'Records on a page of a list when the request does not say.',
  },
  failed_login_attempts_limit: {
    type: 'integer',
    default: 30,
    min: 0,
    max: 1_000_000,
    category: 'Authentication',
    fullName: 'Failed login attempts limit',
    description: 'Failed logins from one address before it is refused for five minutes; 0 turns this off.',
  },
  idle_timeout: {
    type: 'integer',
    default: 60,
    min: 1,
    max: 525_600, // a year
    category: 'Authentication',
    fullName: 'Idle timeout',
    description: 'Minutes after which an unused session ends.',
  },
  authorize_login_delegation: {
    type: 'boolean',
    default: false,
    category: 'Authentication',
    fullName: 'Authorize login delegation',
    description: 'Whether a trusted proxy (configuration key trusted-proxies) may say in REMOTE-USER who somebody is.',
  },
  authorize_login_delegation_api: {
    type: 'boolean',
    default: false,
    category: 'Authentication',
    fullName: 'Authorize login delegation API',
    description: 'Whether that is believed for requests to the API too.',
  },
  authorize_login_delegation_auth_source_user_autocreate: {
    type: 'string',
    default: 'External',
    max: 60,
    category: 'Authentication',
    fullName: 'Authorize login delegation auth source user autocreate',
    description: 'The external source that unknown users of a trusted proxy are created in; blank: they are refused.',
  },
  proxy_request_timeout: {
    type: 'integer',
    default: 60,
    min: 1,
    max: 3600,
    category: 'General',
    fullName: 'Proxy request timeout',
    description: 'Seconds that a smart proxy has to answer.',
  },
  configrun: {
    type: 'boolean',
    default: false,
    category: 'Configuration',
    fullName: 'Configuration runs',
    description: 'Whether configuration runs may be asked for.',
  },
  configrun_wait: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 3600,
    category: 'Configuration',
    fullName: 'Wait for configuration runs',
    description:
      'Seconds that a request for a configuration run waits for its outcome, less than the configuration key request-timeout; 0: it is answered once the run is queued.',
  },
  configrun_keep: {
    type: 'integer',
    default: 90,
    min: 1,
    max: 36_500,
    category: 'Configuration',
    fullName: 'Keep configuration runs',
    description: 'Days after which configuration runs that have ended are deleted, with their output.',
  },
  tasks_keep: {
    type: 'integer',
    default: 30,
    min: 1,
    max: 36_500,
    category: 'General',
    fullName: 'Keep tasks',
    description: 'Days after which tasks that have ended are deleted.',
  },
  Default_parameters_Lookup_Path: {
    type: 'array',
    default: ['fqdn', 'hostgroup', 'os', 'domain'],
    category: 'Configuration',
    fullName: 'Default parameters lookup path',
    description: 'The order in which values of parameters are looked for, where a parameter has none of its own.',
  },
  ignored_environments: {
    type: 'array',
    default: [],
    category: 'Configuration',
    fullName: 'Ignored environments',
    description: 'Names of environments that imports of config classes leave alone.',
  },
  ignored_configclasses: {
    type: 'array',
    default: [],
    category: 'Configuration',
    fullName: 'Ignored config classes',
    description: 'Regular expressions: imports leave config classes alone whose names they find themselves in.',
  },
  interpolate_erb_in_parameters: {
    type: 'boolean',
    default: true,
    category: 'Configuration',
    fullName: 'Interpolate ERB in parameters',
    description: 'Whether templates in the values of parameters are rendered.',
  },
  matchers_inheritance: {
    type: 'boolean',
    default: true,
    category: 'Configuration',
    fullName: 'Matchers inheritance',
    description: 'Whether values for a host group, an organization or a location count for those that lie in it, too.',
  },
  enc_environment: {
    type: 'boolean',
    default: true,
    category: 'Configuration',
    fullName: 'ENC environment',
    description: 'Whether the classification of a host names its environment.',
  },
  Parametrized_Classes_in_ENC: {
    type: 'boolean',
    default: true,
    category: 'Configuration',
    fullName: 'Parametrized classes in ENC',
    description: 'Whether the classification of a host has the values of its classes, or their names alone.',
  },
  restrict_registered_smart_proxies: {
    type: 'boolean',
    default: true,
    category: 'Authentication',
    fullName: 'Restrict registered smart proxies',
    description:
      'Whether only registered smart proxies, trusted hosts and users may read the classification of hosts at /node; else everybody may.',
  },
  require_ssl_smart_proxies: {
    type: 'boolean',
    default: true,
    category: 'Authentication',
    fullName: 'Require SSL for smart proxies',
    description:
      'Whether smart proxies are known by client certificates only; else the names of their addresses in the DNS will do.',
  },
  trusted_hosts: {
    type: 'array',
    default: [],
    category: 'Authentication',
    fullName: 'Trusted hosts',
    description: 'Names of hosts that may read the classification of hosts as smart proxies may.',
  },
  bmc_credentials_accessible: {
    type: 'boolean',
    default: true,
    category: 'Configuration',
    fullName: 'BMC credentials accessible',
    description: 'Whether the classification of a host has the passwords of its service processors.',
  },
  server_url: {
    type: 'string',
    default: '',
    max: 255,
    pattern: /^$|^https?:\/\/[^\s/?#@]+\S*$/,
    category: 'Provisioning',
    fullName: 'Server URL',
    description: 'How hosts reach this service, for templates that tell them, e.g. https://millwright.example.test.',
  },
  create_new_host_when_facts_are_uploaded: {
    type: 'boolean',
    default: true,
    category: 'Facts',
    fullName: 'Create new host when facts are uploaded',
    description: 'Whether facts of a host that is not known make it known.',
  },
  default_organization: {
    type: 'string',
    default: '',
    max: 255,
    category: 'Facts',
    fullName: 'Default organization',
    description:
      'Title of the organization of hosts that facts make known and that name none; blank: the only one there is.',
  },
  default_location: {
    type: 'string',
    default: '',
    max: 255,
    category: 'Facts',
    fullName: 'Default location',
    description:
      'Title of the location of hosts that facts make known and that name none; blank: the only one there is.',
  },
  identity_certificate_days: {
    type: 'integer',
    default: 1825,
    min: 1,
    max: 36_500,
    category: 'Content',
    fullName: 'Identity certificate days',
    description: 'Days for which the certificate is valid that a host gets when it registers.',
  },
  host_profile_assume: {
    type: 'boolean',
    default: true,
    category: 'Content',
    fullName: 'Host profile assume',
    description:
      'Whether a machine that registers with an activation key may take the place of a registered host with its name whose firmware says another UUID; else only users may do that.',
  },
  unregister_delete_host: {
    type: 'boolean',
    default: false,
    category: 'Content',
    fullName: 'Unregister deletes host',
    description: 'Whether a host is deleted when it unregisters; else its record stays.',
  },
  login_delegation_logout_url: {
    type: 'string',
    default: '',
    max: 2000,
    pattern: /^$|^https?:\/\/\S+$|^\/(?!\/)\S*$/,
    category: 'Authentication',
    fullName: 'Login delegation logout URL',
    description: 'Where users whom a trusted proxy logs in are sent after they have logged out.',
  },
  root_pass: {
    type: 'string',
    default: '',
    max: 255,
    pattern: /^$|^.{8,}$/,
    secret: true,
    category: 'Provisioning',
    fullName: 'Root password',
    description: 'Root password of hosts that neither have one nor get one from their group; kept as a hash.',
  },
} as const satisfies Readonly<Record<string, Setting>>

interface SettingFacts {
  readonly category: string
  readonly fullName: string
  readonly description: string
  /** Kept in a form of its own (its resource sees to that), and never shown. */
  readonly secret?: true
}

type Setting = SettingFacts &
  (
    | { readonly type: 'integer'; readonly default: number; readonly min: number; readonly max: number }
    | { readonly type: 'boolean'; readonly default: boolean }
    | { readonly type: 'array'; readonly default: readonly string[] }
    | { readonly type: 'string'; readonly default: string; readonly max: number; readonly pattern?: RegExp }
  )

interface Values {
  readonly integer: number
  readonly boolean: boolean
  readonly string: string
  readonly array: readonly string[]
}

export type SettingName = keyof typeof SETTINGS
export type Settings = { readonly [Name in SettingName]: Values[(typeof SETTINGS)[Name]['type']] }

/** Settings whose values are never shown. */
export const SECRET_SETTINGS: readonly string[] = Object.entries(SETTINGS as Readonly<Record<string, Setting>>)
  .filter(([, { secret }]) => secret)
  .map(([name]) => name)

/** The values in force: what was chosen, else the default. */
export async function loadSettings(db: Db): Promise<Settings> {
  const stored = await rows<{ name: string; value: unknown }>(
    db,
    sql`select name, value from settings where value is not null`,
  )
  const defaults = Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default])
  const chosen = stored.filter(({ name }) => name in SETTINGS).map(({ name, value }) => [name, value])
  return Object.freeze(Object.fromEntries([...defaults, ...chosen]))
}

/** Writes the facts of the declared settings to the database, so that they can be listed and searched. Chosen values stay. */
export async function seedSettings(db: Db): Promise<void> {
  const facts = Object.entries(SETTINGS).map(([name, { fullName, type, ...setting }]) => ({
    ...setting,
    name,
    full_name: fullName,
    settings_type: type,
  }))
  await sql`
    insert into settings (name, full_name, description, category, settings_type, "default")
    select name, full_name, description, category, settings_type, "default"
    from jsonb_to_recordset(${JSON.stringify(facts)}::jsonb)
      as fact (name text, full_name text, description text, category text, settings_type text, "default" jsonb)
    on conflict (name) do update set full_name = excluded.full_name, description = excluded.description,
      category = excluded.category, settings_type = excluded.settings_type, "default" = excluded."default"
    where (settings.full_name, settings.description, settings.category, settings.settings_type, settings."default")
      is distinct from (excluded.full_name, excluded.description, excluded.category, excluded.settings_type, excluded."default")`.execute(
    db,
  )
}

/** The value as its setting stores it, or undefined when it is of the wrong type or form, too small or too large. */
export function settingValue(name: string, sent: unknown): unknown {
  const setting: Setting | undefined = SETTINGS[name as SettingName]
  switch (setting?.type) {
    case 'integer':
      return integerFrom(sent, setting.min, setting.max)
    case 'boolean':
      return booleanFrom(sent)
    case 'array':
      return textsFrom(sent)
    case 'string':
      return textFrom(sent, setting.max, setting.pattern)
    default:
      return undefined
  }
}

/** A list of texts, or one text with a line for each. */
function textsFrom(sent: unknown): readonly string[] | undefined {
  const lines = typeof sent === 'string' ? sent.split('\n') : sent
  if (!Array.isArray(lines) || lines.length > 1000) return undefined
  const texts = lines.map((line) => textFrom(line, 255))
  return texts.every((text) => text !== undefined) ? texts.filter((text) => text !== '') : undefined
}

function integerFrom(sent: unknown, min: number, max: number): number | undefined {
  const value = typeof sent === 'string' && /^-?\d{1,9}$/.test(sent.trim()) ? Number(sent) : sent
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined
}

function booleanFrom(sent: unknown): boolean | undefined {
  if (typeof sent === 'boolean') return sent
  const word = typeof sent === 'string' ? sent.trim().toLowerCase() : ''
  return word === 'true' ? true : word === 'false' ? false : undefined
}

function textFrom(sent: unknown, max: number, pattern = /(?:)/): string | undefined {
  if (typeof sent !== 'string') return undefined
  const value = sent.trim()
  return [...value].length <= max && !value.includes('\0') && pattern.test(value) ? value : undefined
}
