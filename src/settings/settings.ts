import type { Logger } from 'pino'
import { parse } from 'yaml'
import { type Db, rows } from '../database/sql.ts'
import { isValidText } from '../lib/lossless-json.ts'
import { readTexts } from '../lib/values.ts'
import { sql } from '../sql.ts'
import { SETTINGS, type Setting } from './declared.ts'

export { SETTINGS } from './declared.ts'

interface Values {
  readonly integer: number
  readonly boolean: boolean
  readonly string: string
  readonly array: readonly string[]
}

/** The name of a declared setting. */
export type SettingName = keyof typeof SETTINGS

/** The values of all settings, each with the type that its declaration names. */
export type Settings = { readonly [Name in SettingName]: Values[(typeof SETTINGS)[Name]['type']] }

/** Settings whose values are never shown. */
export const SECRET_SETTINGS: readonly string[] = Object.entries(SETTINGS as Readonly<Record<string, Setting>>)
  .filter(([, { secret }]) => secret)
  .map(([name]) => name)

/**
 * Loads the values in force: the stored ones, or else the defaults. Malformed texts of a language, which earlier versions
 * stored, are left out, with an event that names them.
 */
export async function loadSettings(db: Db, log?: Logger): Promise<Settings> {
  const stored = await rows<{ name: string; value: unknown }>(
    db,
    sql`select name, value from settings where value is not null`,
  )
  const defaults = Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default])
  const chosen = stored.flatMap(({ name, value }) => {
    const setting: Setting | undefined = SETTINGS[name as SettingName]
    const malformed = setting ? listMalformed(setting, value) : []
    if (malformed.length > 0)
      log?.warn({ setting: name, texts: malformed }, 'malformed texts of a setting count for nothing')
    if (!setting || (malformed.length > 0 && !Array.isArray(value))) return []
    return [
      [name, malformed.length > 0 ? readTexts({ value }, 'value')?.filter((text) => !malformed.includes(text)) : value],
    ]
  })
  return Object.freeze(Object.fromEntries([...defaults, ...chosen]))
}

/** Lists the texts of a stored value that are malformed in the language of the setting. */
function listMalformed(setting: Setting, value: unknown): string[] {
  if (!('language' in setting)) return []
  const texts = [value].flat().filter((text) => typeof text === 'string')
  return texts.filter((text) => !(setting.allows?.(text) ?? true))
}

/** Writes the declarations of settings to the database, where they can be listed and searched. Stored values stay. */
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

/** The value as it may be stored; undefined when its type, form or size is not allowed. */
export function parseSettingValue(name: string, sent: unknown): unknown {
  const setting: Setting | undefined = SETTINGS[name as SettingName]
  switch (setting?.type) {
    case 'integer':
      return parseInteger(sent, setting.min, setting.max)
    case 'boolean':
      return parseBoolean(sent)
    case 'array':
      return parseTexts(sent, setting.allows)
    case 'string':
      return parseText(sent, setting.max, setting.allows)
    default:
      return undefined
  }
}

/** What a setting expects, for messages; null when its type says everything. */
export function expectedFormOf(name: string): string | null {
  const setting: Setting | undefined = SETTINGS[name as SettingName]
  if (setting?.type === 'integer') return `a whole number from ${setting.min} to ${setting.max}`
  return (setting && 'expected' in setting && setting.expected) || null
}

/** Parses a list of texts: a list, one item a line, or a list in YAML or JSON. */
function parseTexts(sent: unknown, allows?: Allows): readonly string[] | undefined {
  const list = typeof sent === 'string' ? listFrom(sent.trim()) : sent
  if (!Array.isArray(list) || list.length > 1000) return undefined
  const texts = list.map((line) => parseText(line, 255))
  if (!texts.every((text) => text !== undefined)) return undefined
  const words = texts.filter((text) => text !== '')
  return words.every((word) => allows?.(word) ?? true) ? words : undefined
}

function listFrom(text: string): unknown {
  if (!/^\[.*\]$/s.test(text)) return text.split('\n')
  try {
    // The failsafe schema knows texts, lists and maps only. Aliases are refused: they make much out of little text.
    return parse(text, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' })
  } catch {
    return undefined
  }
}

function parseInteger(sent: unknown, min: number, max: number): number | undefined {
  const value = typeof sent === 'string' && /^-?\d{1,9}$/.test(sent.trim()) ? Number(sent) : sent
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined
}

function parseBoolean(sent: unknown): boolean | undefined {
  if (typeof sent === 'boolean') return sent
  const word = typeof sent === 'string' ? sent.trim().toLowerCase() : ''
  return word === 'true' ? true : word === 'false' ? false : undefined
}

type Allows = (text: string) => boolean

function parseText(sent: unknown, max: number, allows?: Allows): string | undefined {
  if (typeof sent !== 'string') return undefined
  const value = sent.trim()
  return [...value].length <= max && isValidText(value) && (allows?.(value) ?? true) ? value : undefined
}
