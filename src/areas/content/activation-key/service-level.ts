import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Field, text } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { readText } from '../../../values.ts'
import { resolveKeyOrganization } from './organization.ts'

/**
 * The field for the service level of a key: blank, or one that a pool of the organization offers, if pools offer any.
 */
export function serviceLevel(): Field<string | null> {
  const field = text({
    doc: 'Level of support that its hosts get, one that a subscription of the organization offers.',
  })
  return {
    ...field,
    read: async (ctx, { name }, sent) => {
      const level = readText(sent, name)
      if (!level) return level === '' ? null : level
      const organization = await resolveKeyOrganization(ctx, sent)
      const offered = await rows<{ level: string; label: string }>(
        ctx.db,
        sql`select distinct s.support_level as level, o.label from subscriptions s join organizations o on o.id = s.organization_id
          where s.organization_id = ${organization} and s.support_level <> ''`,
      )
      const [first] = offered
      const isOffered = offered.some((one) => one.level.toLowerCase() === level.toLowerCase())
      // Answers put the name of the field before this message (content-api §2.9).
      if (first && !isOffered)
        throw invalid({ [name]: [`"${level}" is not available to units of organization ${first.label}.`] })
      return level
    },
  }
}
