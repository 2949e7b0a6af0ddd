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
  login_delegation_logout_url: {
    type: 'string',
    default: '',
    max: 2000,
    pattern: /^$|^https?:\/\/\S+$|^\/(?!\/)\S*$/,
    category: 'Authentication',
    fullName: 'Login delegation logout URL',
    description: 'Where users whom a trusted proxy logs in are sent after they have logged out.',
  },
} as const satisfies Readonly<Record<string, Setting>>

interface SettingFacts {
  readonly category: string
  readonly fullName: string
  readonly description: string
}

type Setting = SettingFacts &
  (
    | { readonly type: 'integer'; readonly default: number; readonly min: number; readonly max: number }
    | { readonly type: 'boolean'; readonly default: boolean }
    | { readonly type: 'string'; readonly default: string; readonly max: number; readonly pattern?: RegExp }
  )

interface Values {
  readonly integer: number
  readonly boolean: boolean
  readonly string: string
}

export type SettingName = keyof typeof SETTINGS
export type Settings = { readonly [Name in SettingName]: Values[(typeof SETTINGS)[Name]['type']] }

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
    case 'string':
      return textFrom(sent, setting.max, setting.pattern)
    default:
      return undefined
  }
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
