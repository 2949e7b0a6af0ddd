import { z } from 'zod'
import type { ReadableKey } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { userLabelSql } from './owner.ts'

/** Readable keys about the user who created a host, taken from its first audit. */
export const creator: Readonly<Record<string, ReadableKey>> = {
  creator_id: {
    schema: () => z.int().nullable().meta({ description: 'Id of the user who created it; null without one.' }),
    sql: (alias) => sql`(select u.id ${selectFirstAuthor(alias)})`,
  },
  creator: {
    schema: () => z.string().nullable().meta({ description: 'Name of that user.' }),
    sql: (alias) => sql`(select ${userLabelSql} ${selectFirstAuthor(alias)})`,
  },
}

function selectFirstAuthor(alias: string) {
  return sql`from audits a join users u on u.id = a.user_id
    where a.auditable_type = 'Host' and a.auditable_id = ${sql.ref(`${alias}.id`)} and a.version = 1 and a.action = 'create'`
}
