import { sql } from 'kysely'
import { z } from 'zod'
import { unknownReference } from '../../errors.ts'
import { json, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'
import { settingValue } from '../../settings.ts'

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

/** Core-api §11. */
export const settings = defineResource({
  name: 'setting',
  summary: 'Something administrators may change while the service runs.',
  fields: {
    name: text({ readOnly: true, required: true, search: 'free', doc: 'What the program knows it by.' }),
    full_name: text({ readOnly: true, required: true, search: 'explicit', doc: 'What people call it.' }),
    description: text({ readOnly: true, required: true, search: 'free', doc: 'What it is for.' }),
    category: text({ readOnly: true, required: true, search: 'explicit', doc: 'What it belongs with.' }),
    settings_type: text({ readOnly: true, required: true, doc: 'Type of its value.' }),
    default: json({ readOnly: true, nullable: false, doc: 'Its value as long as nobody chose another.' }),
    value: json({ doc: 'Its value.' }),
  },
  operations: ['list', 'show', 'update'],
  label: 'name',
  views: { list: KEYS, show: KEYS },
  readable: {
    value: {
      schema: () => z.json().meta({ description: 'Its value: the one that was chosen, else the default.' }),
      sql: (alias) => sql`coalesce(${sql.ref(`${alias}.value`)}, ${sql.ref(`${alias}.default`)})`,
    },
    category_name: {
      schema: () => z.string().meta({ description: 'What people call its category.' }),
      sql: (alias) => sql.ref(`${alias}.category`),
    },
    readonly: {
      schema: () => z.literal(false).meta({ description: 'Whether the configuration file decides it: never.' }),
      sql: () => sql`false`,
    },
    config_file: {
      schema: () => z.null().meta({ description: 'The file that decides it: none.' }),
      sql: () => sql`null`,
    },
    encrypted: {
      schema: () => z.literal(false).meta({ description: 'Whether it is stored encrypted.' }),
      sql: () => sql`false`,
    },
    select_values: {
      schema: () => z.null().meta({ description: 'The values to choose from, where only some are allowed.' }),
      sql: () => sql`null`,
    },
  },
  around: {
    async update(_ctx, stored, draft, next) {
      if (draft.value === undefined) return
      if (draft.value === null) throw unknownReference('No setting value provided.')
      const value = settingValue(String(stored.name), draft.value)
      if (value === undefined) throw unknownReference(`expected a value of type ${stored.settings_type}`)
      await next({ value })
    },
  },
})
