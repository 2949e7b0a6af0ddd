import { LOG_LEVELS_FORM, parseLogLevels } from '../config/log-levels.ts'
import { isHttpProxy, isRegexp, isWebUrl, type LanguageName } from '../requests/languages.ts'
import { FACT_SETTINGS } from './facts.ts'
import { CLIENT_SETTINGS } from './kept.ts'
import { OPENID_SETTINGS } from './openid.ts'
import { REPORT_SETTINGS } from './reports.ts'
import { SECOND_FACTOR_SETTINGS } from './second-factors.ts'

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
    description: 'Default number of records on a page.',
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
    description: 'Number of failed logins from one address before a lock-out of five minutes; 0: no lock-out.',
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
      'Whether a password change by another user revokes the personal access tokens and registration tokens of the user.',
  },
  ...SECOND_FACTOR_SETTINGS,
  authorize_login_delegation: {
    type: 'boolean',
    default: false,
    category: 'Authentication',
    fullName: 'Authorize login delegation',
    description:
      'Whether a trusted proxy (configuration option trusted-proxies) may authenticate users with REMOTE-USER.',
  },
  authorize_login_delegation_api: {
    type: 'boolean',
    default: false,
    category: 'Authentication',
    fullName: 'Authorize login delegation API',
    description: 'Whether the API accepts REMOTE-USER, too.',
  },
  authorize_login_delegation_auth_source_user_autocreate: {
    type: 'string',
    default: 'External',
    max: 60,
    category: 'Authentication',
    fullName: 'Authorize login delegation auth source user autocreate',
    description: 'External source for new users from a trusted proxy; blank: unknown users cannot log in.',
  },
  ...OPENID_SETTINGS,
  administrator: {
    type: 'string',
    default: '',
    max: 254,
    allows: (address) => address === '' || /^[^\s@<>]+@[^\s@<>]+$/.test(address),
    expected: 'a mail address',
    category: 'General',
    fullName: 'Administrator email address',
    description:
      'Email address of the operator. The description of the API and the pages at /docs show it to everyone.',
  },
  login_text: {
    type: 'string',
    default: 'Version $VERSION',
    max: 10_000,
    category: 'General',
    fullName: 'Login page footer text',
    description:
      'Text before login, at /docs and on pages that request GET /api/login_text. $VERSION stands for the version of the program.',
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
      'Log levels of all processes, e.g. directory=debug or info,http=warn. Overrides the configuration at once; blank: as configured.',
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
      'HTTP proxy for HTTP and HTTPS requests of the service, for example http://proxy.example.test:3128; blank: none.',
  },
  http_proxy_except_list: {
    type: 'array',
    default: [],
    allows: (host) => /^[\p{L}\p{N}*._:-]+$/u.test(host),
    expected: 'names and addresses of hosts, in which * stands for any characters',
    category: 'General',
    fullName: 'HTTP(S) proxy except hosts',
    description:
      'Names and addresses of hosts that need no HTTP proxy; * is any characters: *.example.test. Requests to the service itself never use the proxy.',
  },
  proxy_request_timeout: {
    type: 'integer',
    default: 60,
    min: 1,
    max: 3600,
    category: 'General',
    fullName: 'Proxy request timeout',
    description: 'Timeout in seconds for smart proxies.',
  },
  configrun: {
    type: 'boolean',
    default: false,
    category: 'Configuration',
    fullName: 'Configuration runs',
    description: 'Whether users may start configuration runs.',
  },
  configrun_wait: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 3600,
    category: 'Configuration',
    fullName: 'Wait for configuration runs',
    description:
      'Seconds that a request for a configuration run waits for its result; less than the configuration option request-timeout. 0: the answer comes when the run is queued.',
  },
  configrun_keep: {
    type: 'integer',
    default: 90,
    min: 1,
    max: 36_500,
    category: 'Configuration',
    fullName: 'Keep configuration runs',
    description: 'Days after which ended configuration runs are deleted with their output.',
  },
  ...REPORT_SETTINGS,
  ...CLIENT_SETTINGS,
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
    description: 'Days after which ended tasks are deleted.',
  },
  Default_parameters_Lookup_Path: {
    type: 'array',
    default: ['fqdn', 'hostgroup', 'os', 'domain'],
    category: 'Configuration',
    fullName: 'Default parameters lookup path',
    description: 'Default order of match attributes for parameters without their own order.',
  },
  ignored_environments: {
    type: 'array',
    default: [],
    category: 'Configuration',
    fullName: 'Ignored environments',
    description: 'Names of environments that imports of config classes skip.',
  },
  ignored_configclasses: {
    type: 'array',
    default: [],
    language: 'regular expression',
    allows: isRegexp,
    expected: 'regular expressions as RE2 knows them',
    category: 'Configuration',
    fullName: 'Ignored config classes',
    description: 'Regular expressions; imports skip config classes with matching names.',
  },
  interpolate_erb_in_parameters: {
    type: 'boolean',
    default: true,
    category: 'Configuration',
    fullName: 'Interpolate ERB in parameters',
    description: 'Whether to render templates in values of parameters.',
  },
  matchers_inheritance: {
    type: 'boolean',
    default: true,
    category: 'Configuration',
    fullName: 'Matchers inheritance',
    description: 'Whether values of a host group, organization or location also apply to its descendants.',
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
    description: 'Whether the classification of a host contains the parameters of its classes, or only their names.',
  },
  restrict_registered_smart_proxies: {
    type: 'boolean',
    default: true,
    category: 'Authentication',
    fullName: 'Restrict registered smart proxies',
    description:
      'Whether only registered smart proxies, trusted hosts and users may read the classification of hosts at /node. Otherwise everyone may, without passwords and hidden values.',
  },
  require_ssl_smart_proxies: {
    type: 'boolean',
    default: true,
    category: 'Authentication',
    fullName: 'Require SSL for smart proxies',
    description:
      'Whether smart proxies need client certificates. Otherwise the DNS names of their addresses are sufficient.',
  },
  trusted_hosts: {
    type: 'array',
    default: [],
    category: 'Authentication',
    fullName: 'Trusted hosts',
    description:
      'Names of hosts that may read the classification and upload the facts of all hosts in all organizations.',
  },
  bmc_credentials_accessible: {
    type: 'boolean',
    default: true,
    category: 'Configuration',
    fullName: 'BMC credentials accessible',
    description: 'Whether the classification of a host contains the passwords of its service processors.',
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
      'Validity in minutes of the build token, with which a machine fetches its templates during installation. 0: no tokens, so machines cannot fetch templates with secrets.',
  },
  default_pxe_item_global: {
    type: 'string',
    default: '',
    max: 255,
    category: 'Provisioning',
    fullName: 'Default boot item of unknown hosts',
    description: 'Default entry of the boot menus of unknown machines; blank: the default of the template.',
  },
  default_pxe_item_local: {
    type: 'string',
    default: '',
    max: 255,
    category: 'Provisioning',
    fullName: 'Default boot item of installed hosts',
    description: 'Default entry of the boot menus of installed hosts; blank: the default of the template.',
  },
  ...FACT_SETTINGS,
  identity_certificate_days: {
    type: 'integer',
    default: 1825,
    min: 1,
    max: 36_500,
    category: 'Content',
    fullName: 'Identity certificate days',
    description: 'Validity in days of the certificate that a host gets at registration.',
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
    description: 'Whether unregistering deletes the host; otherwise its record stays.',
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
    description: 'URL for users after logout, if a trusted proxy logs them in.',
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
    description: 'Root password of hosts without their own or an inherited one; stored as a hash.',
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
