/** How a message about a field is translated, where clients know other fields or words. */
interface MessageRule {
  readonly field: string
  readonly message: RegExp
  /** The fields under which the message appears, each with its words; null keeps the words. */
  readonly said: readonly (readonly [field: string, words: string | null])[]
}

/** Builds a rule that replaces the words of a message and keeps its field. */
function rewordMessage(field: string, message: RegExp, words: string): MessageRule {
  return { field, message, said: [[field, words]] }
}

const TITLED: readonly MessageRule[] = [
  {
    field: 'name',
    message: /^is too long/,
    said: [
      ['name', null],
      ['title', null],
    ],
  },
]

const BLANK = /^can't be blank$/
const SHORT_PASSWORD = rewordMessage('root_pass', /^is too short/, 'should be 8 characters or more')
const NOT_NUMBERS = ['vlanid', 'mtu', 'nic_delay'].map((field) =>
  rewordMessage(field, /^must be an integer$/, 'is not a number'),
)

/** The rules by resource. */
export const MESSAGES: Readonly<Record<string, readonly MessageRule[]>> = {
  locations: TITLED,
  organizations: TITLED,
  hostgroups: [{ field: 'name', message: /^is too long/, said: [['title', null]] }, SHORT_PASSWORD],
  hosts: [SHORT_PASSWORD],
  operatingsystems: [
    {
      field: 'major',
      message: BLANK,
      said: [
        ['major', 'is not a number'],
        ['major', 'Operating System version is required'],
      ],
    },
  ],
  media: [
    {
      field: 'path',
      message: BLANK,
      said: [
        ['path', null],
        ['path', 'URL must be valid and schema must be one of http, https, ftp, and nfs'],
      ],
    },
  ],
  ptables: [
    {
      field: 'layout',
      message: BLANK,
      said: [
        ['template', null],
        ['layout', null],
      ],
    },
  ],
  subnets: [
    ...NOT_NUMBERS,
    {
      field: 'mask',
      message: BLANK,
      said: [
        ['mask', null],
        ['mask', 'is invalid'],
        ['cidr', null],
      ],
    },
    {
      field: 'mtu',
      message: BLANK,
      said: [
        ['mtu', 'is not a number'],
        ['mtu', null],
      ],
    },
    rewordMessage('vlanid', /^must be less than or equal to 4095$/, 'must be less than 4096'),
  ],
  auth_source_ldaps: [rewordMessage('server_type', /^is not included in the list/, 'is not included in the list')],
  users: [
    rewordMessage('login', /^may hold /, 'is invalid'),
    rewordMessage('mail', /^is not an email address$/, 'is invalid'),
    rewordMessage('locale', /^must be like /, 'is invalid'),
    rewordMessage('timezone', /^is not the name of a time zone/, 'is not valid'),
    { field: 'password', message: /^can't be blank$/, said: [['password_hash', null]] },
  ],
}

/**
 * How an unknown record is answered that a record of a resource names by its id, by the type of the unknown one: as an error
 * of that key, or as if the path named it.
 */
export const UNFOUND: Readonly<Record<string, Readonly<Record<string, { readonly key: string } | 'not_found'>>>> = {
  hosts: {
    User: { key: 'owner_id' },
    Usergroup: { key: 'owner_id' },
    Environment: { key: 'environment_id' },
    Hostgroup: 'not_found',
  },
}

/** Routes whose errors clients read on top of the body, too. */
export const ERRORS_ON_TOP: readonly string[] = [
  'hosts.boot',
  'host_power.power',
  'provisioning_templates.import',
  'ptables.import',
  'report_templates.import',
  'webhook_templates.import',
]

/** Types of records that have another name in sentences. */
export const TYPES_IN_MESSAGES: Readonly<Record<string, string>> = {
  ConfigGroup: 'ForemanPuppet::ConfigGroup',
  Configclass: 'ForemanPuppet::Puppetclass',
  Environment: 'ForemanPuppet::Environment',
}

/** Names of organizations and locations in links of records, and as parents in their own trees. */
export const TAXONOMIES: {
  readonly types: readonly string[]
  readonly groups: readonly string[]
  readonly word: string
} = {
  types: ['Location', 'Organization'],
  groups: ['locations', 'organizations'],
  word: 'Taxonomy',
}
