import { LOG_LEVELS_FORM, parseLogLevels } from '../config/log-levels.ts'
import { isRegexp, isWebUrl, type LanguageName } from '../requests/languages.ts'
import { FACT_SETTINGS } from './facts.ts'
import { REPORT_SETTINGS } from './reports.ts'

/**
 * The settings that administrators may change while the service runs (core-api §11). Their declarations are here, changed
 * values in the database.
 */
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
  search_comparisons_limit: {
    type: 'integer',
    default: 50,
    min: 1,
    max: 1_000_000,
    category: 'General',
    fullName: 'Search comparisons limit',
    description:
      'Millions of comparisons that one search may come to: each of its conditions is compared with each record, and counts several times where it looks for parts of texts or leads to other records. A larger search is refused. Three conditions never are.',
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
  revoke_tokens_on_password_reset: {
    type: 'boolean',
    default: true,
    category: 'Authentication',
    fullName: 'Revoke tokens on password reset',
    description:
      'Whether the personal access tokens and registration tokens of a user end when somebody else sets the password of that user.',
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
    description: 'Whether REMOTE-USER is accepted for requests to the API, too.',
  },
  authorize_login_delegation_auth_source_user_autocreate: {
    type: 'string',
    default: 'External',
    max: 60,
    category: 'Authentication',
    fullName: 'Authorize login delegation auth source user autocreate',
    description: 'The external source that unknown users of a trusted proxy are created in; blank: they are refused.',
  },
  administrator: {
    type: 'string',
    default: '',
    max: 254,
    allows: (address) => address === '' || /^[^\s@<>]+@[^\s@<>]+$/.test(address),
    expected: 'a mail address',
    category: 'General',
    fullName: 'Administrator email address',
    description:
      'Mail address of who runs this service: the description of the API and the pages at /docs show it to everybody.',
  },
  login_text: {
    type: 'string',
    default: 'Version $VERSION',
    max: 10_000,
    category: 'General',
    fullName: 'Login page footer text',
    description:
      'Text shown before login, at /docs and on pages that ask GET /api/login_text. $VERSION stands for the version of the program.',
  },
  log_levels: {
    type: 'string',
    default: '',
    max: 255,
    language: 'log levels',
    allows: (text) => text === '' || parseLogLevels(text) !== null,
    expected: LOG_LEVELS_FORM,
    category: 'General',
    fullName: 'Log levels',
    description:
      'From which level on each process logs, at once and before what its configuration says, e.g. directory=debug or info,http=warn; blank: as the configuration says.',
  },
  http_proxy: {
    type: 'string',
    default: '',
    max: 2000,
    language: 'URL',
    allows: isHttpProxy,
    expected: 'a URL like http://proxy.example.test:3128, without user, password and path',
    category: 'General',
    fullName: 'HTTP(S) proxy',
    description:
      'The HTTP proxy that the service goes through where it asks others by HTTP or HTTPS, for example http://proxy.example.test:3128; blank: it asks them itself.',
  },
  http_proxy_except_list: {
    type: 'array',
    default: [],
    allows: (host) => /^[\p{L}\p{N}*._:-]+$/u.test(host),
    expected: 'names and addresses of hosts, in which * stands for any characters',
    category: 'General',
    fullName: 'HTTP(S) proxy except hosts',
    description:
      'Names and addresses of hosts that the service asks without its HTTP proxy; * is any characters: *.example.test. It never asks itself through the proxy.',
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
  ...REPORT_SETTINGS,
  audits_keep: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 36_500,
    category: 'General',
    fullName: 'Keep audits',
    description: 'Days after which audits are deleted; 0: never.',
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
    language: 'regular expression',
    allows: isRegexp,
    expected: 'regular expressions as RE2 knows them',
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
      'Whether only registered smart proxies, trusted hosts and users may read the classification of hosts at /node; else everybody may, without passwords and hidden values.',
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
    description:
      'Names of hosts that may read the classification of all hosts, and upload facts of all, whatever organization they are in.',
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
    language: 'URL',
    allows: (url) => url === '' || isWebUrl(url),
    expected: 'a URL like https://server.example.test',
    category: 'Provisioning',
    fullName: 'Server URL',
    description:
      'Address at which hosts reach this service, for templates that contain it, e.g. https://server.example.test.',
  },
  token_duration: {
    type: 'integer',
    default: 360,
    min: 0,
    max: 525_600, // a year
    category: 'Provisioning',
    fullName: 'Token duration',
    description:
      'Minutes for which a machine that is being installed may fetch its templates with the token it was given; 0: no tokens are made, so that nothing with secrets can be fetched.',
  },
  default_pxe_item_global: {
    type: 'string',
    default: '',
    max: 255,
    category: 'Provisioning',
    fullName: 'Default boot item of unknown hosts',
    description: 'Default entry of the boot menus of unknown machines; blank: as the template says.',
  },
  default_pxe_item_local: {
    type: 'string',
    default: '',
    max: 255,
    category: 'Provisioning',
    fullName: 'Default boot item of installed hosts',
    description: 'Default entry of the boot menus of installed hosts; blank: as the template says.',
  },
  ...FACT_SETTINGS,
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
    default: false,
    category: 'Content',
    fullName: 'Host profile assume',
    description:
      'Whether a machine with nothing but an activation key may take the place of the registered host of its name, as long as the DMI UUID of the machine is not that of another host; else it has to be the host: by its DMI UUID, by its present certificate, or because the host is in build mode.',
  },
  register_unowned_hosts: {
    type: 'boolean',
    default: false,
    category: 'Content',
    fullName: 'Register unowned hosts',
    description:
      'Whether a machine with nothing but an activation key may register as a known host that belongs to no organization. The host then belongs to the organization of the key, whose people see all of it: its parameters, hidden ones too, and its root password.',
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
    language: 'URL',
    allows: (url) => url === '' || isWebUrl(url) || /^\/(?!\/)\S*$/.test(url),
    expected: 'a URL, or a path that begins with /',
    category: 'Authentication',
    fullName: 'Login delegation logout URL',
    description: 'URL that users are sent to after logout if a trusted proxy logs them in.',
  },
  root_pass: {
    type: 'string',
    default: '',
    max: 255,
    allows: (password) => /^$|^.{8,}$/.test(password),
    expected: 'a password of at least 8 characters',
    secret: true,
    category: 'Provisioning',
    fullName: 'Root password',
    description: 'Root password of hosts that neither have one nor get one from their group; kept as a hash.',
  },
} as const satisfies Readonly<Record<string, Setting>>

/** What is declared of every setting. */
interface SettingFacts {
  readonly category: string
  readonly fullName: string
  readonly description: string
  /** The value is stored encrypted or hashed by its resource, and never shown. */
  readonly secret?: true
}

/** A form that a text must have, and its description for error messages. */
interface Form {
  /** The language that the text is in: a stored one that is malformed counts as none (settings.ts). */
  readonly language?: LanguageName
  readonly allows: (text: string) => boolean
  readonly expected: string
}

/** The declaration of a setting. */
export type Setting = SettingFacts &
  (
    | { readonly type: 'integer'; readonly default: number; readonly min: number; readonly max: number }
    | { readonly type: 'boolean'; readonly default: boolean }
    | ({ readonly type: 'array'; readonly default: readonly string[] } & Partial<Form>)
    | ({ readonly type: 'string'; readonly default: string; readonly max: number } & Partial<Form>)
  )

/**
 * Tells whether a text is blank or the URL of an HTTP proxy, without parts that would be ignored or that would reveal a
 * password.
 */
function isHttpProxy(text: string): boolean {
  const url = URL.parse(text)
  return text === '' || (url !== null && /^https?:\/\/[^\s/\\?#@]+\/?$/.test(text))
}
