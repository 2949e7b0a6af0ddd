import { z } from 'zod'
import { badParameter } from '../../../errors.ts'
import type { Sent } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { readChoice } from '../../../records/choice.ts'
import { toBoolean, toInteger } from '../../../requests/sent.ts'
import { APPLIED, type AppliedField } from '../../registration/index.ts'
import { NOT_FIELDS, readAppliedFields } from './drift-differences.ts'

/** The most hosts that a request may name. */
const MOST = 100_000

/** The hosts of a key that are to be changed, and the fields. */
export interface ReapplyRequest {
  readonly search: string | null
  readonly host_ids: readonly number[] | null
  readonly fields: readonly AppliedField[]
}

/** The body of a request to reapply keys. */
export const REAPPLY_BODY = z.object({
  search: z.string().nullable().optional().meta({ description: 'Only hosts that this search of hosts finds.' }),
  all: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: 'True: every host of the key. Without it a search or ids are needed, but for a preview.' }),
  host_ids: z.array(z.int()).nullable().optional().meta({ description: 'Only these hosts.' }),
  fields: z.array(z.enum(APPLIED)).nullable().optional().meta({ description: 'Only these fields; all without.' }),
  preview: z.boolean().optional().meta({ description: 'True: nothing is changed, the answer says what would be.' }),
})

/** Reads the body of a request to reapply a key. {@throws Failure} bad_parameter */
export function readWanted(sent: Sent): ReapplyRequest & { readonly preview: boolean } {
  const { search = null, host_ids: hosts = null, fields: named = null } = sent
  if (search !== null && (typeof search !== 'string' || !isValidText(search)))
    throw badParameter('search', search, 'must be Unicode text without the NUL character')
  if (hosts !== null && (!Array.isArray(hosts) || hosts.length > MOST))
    throw badParameter('host_ids', hosts, `must be a list of at most ${MOST} ids`)
  const ids = hosts === null ? null : hosts.map(toInteger)
  if (ids && !ids.every((id): id is number => Number.isSafeInteger(id)))
    throw badParameter('host_ids', hosts, 'must be a list of ids')
  const fields = named === null || Array.isArray(named) ? readAppliedFields(named) : undefined
  if (!fields) throw badParameter('fields', named, NOT_FIELDS)
  const preview = toBoolean(sent.preview ?? false) ?? false
  if (typeof preview !== 'boolean') throw badParameter('preview', preview, 'must be true or false')
  const choice = preview ? search : readChoice({ search, named: ids !== null, all: sent.all })
  return { search: choice, host_ids: ids && [...new Set(ids)], fields, preview }
}
