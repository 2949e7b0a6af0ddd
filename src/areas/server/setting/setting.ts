import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { invalid, unknownReference } from '../../../errors.ts'
import { defineResource, type Resource, recordAudit, type Stored, text, updateRecord } from '../../../kernel/index.ts'
import { printExact } from '../../../lib/lossless-json.ts'
import { json } from '../../../records/json.ts'
import { isMask } from '../../../requests/masks.ts'
import { TRUSTING_SETTINGS } from '../../../settings/openid.ts'
import { expectedFormOf, parseSettingValue, SECRET_SETTINGS } from '../../../settings/settings.ts'
import { sql } from '../../../sql.ts'
import { mayEscalate } from '../../access/index.ts'
import { hashRootPassword } from '../../inventory/index.ts'

const KEYS = [
  'description',
  'category',
  'settings_type',
  'default',
  'created_at',
  'updated_at',
  'id',
  'name',
  'full_name',
  'value',
  'category_name',
  'readonly',
  'config_file',
  'encrypted',
  'select_values',
]

const fields = {
  name: text({ readOnly: true, required: true, search: 'free', doc: 'Name of the setting, for programs.' }),
  full_name: text({ readOnly: true, required: true, search: 'explicit', doc: 'Display name of the setting.' }),
  description: text({ readOnly: true, required: true, search: 'free', doc: 'Purpose.' }),
  category: text({ readOnly: true, required: true, search: 'explicit', doc: 'Category of the setting.' }),
  settings_type: text({ readOnly: true, required: true, doc: 'Type of its value.' }),
  default: json({ readOnly: true, nullable: false, doc: 'Its default value.' }),
  value: json({ doc: 'Its value.' }),
}

type SettingFields = typeof fields

const NOT_TRUSTED = 'can be changed by administrators and those with the permission escalate_roles only'

/** The settings of the service (core-api §11). */
export const settings = defineResource({
  name: 'setting',
  routes: { invalidates: 'settings' },
  summary: 'A setting that administrators can change while the service runs.',
  fields: fields,
  operations: ['list', 'show', 'update'],
  label: 'name',
  views: { list: KEYS, show: KEYS },
  readable: {
    value: {
      schema: () => z.json().meta({ description: 'Its current value.' }),
      sql: (
        alias,
      ) => sql`case when ${isSecret(alias)} and ${sql.ref(`${alias}.value`)} #>> '{}' <> '' then '"*****"'::jsonb
        else coalesce(${sql.ref(`${alias}.value`)}, ${sql.ref(`${alias}.default`)}) end`,
    },
    category_name: {
      schema: () => z.string().meta({ description: 'Display name of the category.' }),
      sql: (alias) => sql.ref(`${alias}.category`),
    },
    readonly: {
      schema: () => z.literal(false).meta({ description: 'Whether the configuration file sets it: never.' }),
      sql: () => sql`false`,
    },
    config_file: {
      schema: () => z.null().meta({ description: 'The file that sets it: none.' }),
      sql: () => sql`null`,
    },
    encrypted: {
      schema: () => z.boolean().meta({ description: 'Whether its value is a secret, kept as a hash and never shown.' }),
      sql: isSecret,
    },
    select_values: {
      schema: () => z.null().meta({ description: 'Allowed values, if only some are allowed.' }),
      sql: () => sql`null`,
    },
  },
  search: [
    {
      name: 'value',
      type: 'text',
      column: 'value',
      expression: (alias) =>
        sql`case when not ${isSecret(alias)} then coalesce(${sql.ref(`${alias}.value`)}, ${sql.ref(`${alias}.default`)}) #>> '{}' end`,
      nullable: true,
      explicit: true,
      noCompletion: true,
    },
  ],
  wrapWrite: {
    async update(ctx, stored, draft, next, resource) {
      const isSecretOne = SECRET_SETTINGS.includes(String(stored.name))
      if (isSecretOne && isMask(draft.value)) return
      if ((draft.value ?? null) === null) throw unknownReference('No setting value provided.')
      const value = parseSettingValue(stored.name, draft.value)
      if (value === undefined) throw unknownReference(describeExpectation(stored))
      if (TRUSTING_SETTINGS.includes(String(stored.name)) && !mayEscalate(ctx))
        throw invalid({ value: [NOT_TRUSTED] }, stored.id)
      if (isSecretOne) return keepSecret(ctx, resource, stored, value)
      // Sending the default back, as it is shown, is no choice.
      const isShown = (stored.value ?? null) === null && printExact(value) === printExact(stored.default)
      if (!isShown) await next({ value })
    },
  },
})

function describeExpectation({ name, settings_type }: Stored<SettingFields>): string {
  const form = expectedFormOf(name)
  return [`expected a value of type ${settings_type}`, form].filter(Boolean).join(': ')
}

function isSecret(alias: string): Sql {
  return sql`${sql.ref(`${alias}.name`)} = any (${sql.lit(`{${SECRET_SETTINGS.join()}}`)}::text[])`
}

/** Stores a secret setting (the root password) as a hash; its audit does not show the value. */
async function keepSecret(
  ctx: Context,
  resource: Resource,
  stored: Stored<SettingFields>,
  sent: unknown,
): Promise<void> {
  const value = hashRootPassword(sent, 'SHA512', stored.value) ?? ''
  if (value === stored.value) return
  await updateRecord(ctx, resource, stored, { value })
  const record = { id: stored.id, label: stored.name }
  await recordAudit(ctx, resource, 'update', record, { value: ['[redacted]', '[redacted]'] })
}
