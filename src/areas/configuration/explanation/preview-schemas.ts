import { z } from 'zod'
import { badParameter } from '../../../errors.ts'
import type { Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { DOCUMENT } from './previewed-document.ts'
import { OUTCOME, PARAMETER } from './schemas.ts'

/**
 * Tells whether the query requests a preview. {@throws Failure} bad_parameter for another value, or a host without a
 * preview
 */
export function asksForPreview({ query }: Input): boolean {
  const sent = readSingle(query, 'preview')
  if (sent === 'true' || sent === '1') return true
  const host = readSingle(query, 'preview_host_id')
  if (host !== null) throw badParameter('preview_host_id', host, 'needs preview=true')
  if (sent === null || sent === 'false' || sent === '0') return false
  throw badParameter('preview', sent, 'must be true or false')
}

/** The query parameters of writes that can be previewed. */
export const PREVIEW_QUERY = {
  preview: z
    .string()
    .optional()
    .meta({ description: '`true` stores nothing, and answers which hosts would get something else.' }),
  preview_host_id: z
    .string()
    .optional()
    .meta({ description: 'With a preview: a host by id or name, whose whole document is answered, before and after.' }),
}

const host = z.object({
  id: z.int().meta({ description: 'Its id.' }),
  name: z.string().meta({ description: 'Its name.' }),
})
const hosts = z.array(host).meta({ description: 'The hosts, by name.' })

const oneSide = z.object({
  ...OUTCOME,
  source: z
    .enum(['default', 'override', 'merge'])
    .nullable()
    .meta({ description: 'Source of the value; null if hosts do not get the parameter.' }),
  matches: z.array(z.string()).meta({ description: 'The match texts of the overrides that take part, best first.' }),
})

/** The schema of a preview. */
export const PREVIEW = z
  .object({
    preview: z.literal(true).meta({ description: 'Whether the import only reports changes and stores nothing.' }),
    total: z.int().meta({ description: 'Hosts that would get something else, of those that the caller may see.' }),
    classes: z
      .array(
        z.object({
          configclass_id: z.int().meta({ description: 'Id of the config class.' }),
          configclass_name: z.string().meta({ description: 'Its name.' }),
          change: z.enum(['added', 'removed']).meta({ description: 'Whether the hosts get it or lose it.' }),
          hosts,
        }),
      )
      .meta({ description: 'Classes that hosts would get or lose.' }),
    changes: z
      .array(
        z.object({
          ...PARAMETER,
          before: oneSide.meta({ description: 'Current value of these hosts.' }),
          after: oneSide.meta({ description: 'Value after the change.' }),
          hosts,
        }),
      )
      .meta({ description: 'Values that would change, hosts with the same before and after together.' }),
    document: DOCUMENT.optional().meta({ description: 'Documents of the host that the request names.' }),
  })
  .meta({ title: 'Preview', description: 'Effects of a write that is only previewed.' })
