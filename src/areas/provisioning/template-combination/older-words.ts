import { z } from 'zod'
import type { ReadableKey } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** The keys of a record with a provisioning template that older clients read. */
export const OLDER_KEYS: Readonly<Record<'config_template_id' | 'config_template_name', ReadableKey>> = {
  config_template_id: {
    schema: () => z.int().meta({ description: 'Deprecated name of the template.' }),
    sql: (alias) => sql.ref(`${alias}.provisioning_template_id`),
  },
  config_template_name: {
    schema: () => z.string().meta({ description: 'Deprecated key for the name of the template.' }),
    sql: (alias) => sql`(select y.name from templates y where y.id = ${sql.ref(`${alias}.provisioning_template_id`)})`,
  },
}

/** The keys that older clients send, with the present names of the keys. */
export const OLDER_WORDS = {
  config_template_id: 'provisioning_template_id',
  config_template_name: 'provisioning_template_name',
} as const
