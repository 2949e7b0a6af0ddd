import { z } from 'zod'
import type { Context } from '../../context.ts'
import { diagnose, type Step, summarize } from '../../directory/diagnosis.ts'
import { invalid } from '../../errors.ts'
import { accountPassword, directorySource, type SourceRow } from '../../identity/sources.ts'
import { notVisible, permissionFor, visible } from '../../kernel/authorize.ts'
import { attributesOf, judge, readDraft } from '../../kernel/input.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Action, Draft, Resource, Stored } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { lockStored, selectRecord } from '../../kernel/store/select.ts'
import { settled, withDefaults } from './ldap-fields.ts'

const steps = z.array(
  z.object({
    name: z.string().meta({ description: 'What was tried.' }),
    status: z.enum(['ok', 'failed', 'warning', 'skipped']).meta({ description: 'How it went.' }),
    milliseconds: z.number().meta({ description: 'How long it took.' }),
    message: z.string().meta({ description: 'What was found.' }),
    advice: z.string().nullable().meta({ description: 'What to do about it.' }),
    code: z.string().nullable().meta({ description: 'The reason as a word for programs; null when all is well.' }),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Facts, e.g. the certificates as presented.' }),
  }),
)

const outcome = z.object({
  success: z.boolean().meta({ description: 'Whether users can log in through it.' }),
  message: z.string().meta({ description: 'The same in a sentence.' }),
  steps: steps.meta({ description: 'Each step on the way, in order.' }),
})

/** Spec 4.2: tests what is stored; values in the body are tried instead of the stored ones, and not stored. */
export const testStored: Action = {
  method: 'PUT',
  path: '/:id/test',
  name: 'test',
  summary: 'Test the connection to a directory, step by step',
  output: z.object({
    id: z.int().meta({ description: 'Id of the source.' }),
    type: z.literal('AuthSourceLdap').meta({ description: 'The kind of the source.' }),
    name: z.string().meta({ description: 'Its name.' }),
    ...outcome.shape,
  }),
  handle: async (ctx, resource, input): Promise<Answer> => {
    const stored = await find(ctx, resource, input)
    const judged = await judge(ctx, resource, attributesOf(resource, input.body))
    const draft = settled(await readDraft(ctx, resource, judged, stored))
    refuseStrangers(stored, draft)
    const row = { ...stored, ...draft } as unknown as SourceRow
    return {
      status: 200,
      body: { id: stored.id, type: 'AuthSourceLdap', name: stored.name, ...(await test(ctx, row)) },
    }
  },
}

/** What decides who is on the other end of the connection. */
const PEER = ['host', 'port', 'tls', 'start_tls', 'ca_certificate'] as const

/** The stored password is tried on the stored server only: nobody can have it sent to another one. */
function refuseStrangers(stored: Stored, draft: Draft): void {
  const elsewhere = PEER.some((key) => draft[key] !== undefined && draft[key] !== stored[key])
  if (!elsewhere || !stored.account_password || draft.account_password !== undefined) return
  throw invalid({ account_password: [`has to be sent too when another ${PEER.join(', ')} is tried`] }, stored.id)
}

/** The same for a source that is not stored yet. */
export const testUnsaved: Action = {
  method: 'POST',
  path: '/test',
  name: 'test_unsaved',
  summary: 'Test the connection to a directory before it is stored',
  permissions: ['create_authenticators', 'edit_authenticators'],
  output: outcome,
  handle: async (ctx, resource, input): Promise<Answer> => {
    const judged = await judge(ctx, resource, attributesOf(resource, input.body))
    const draft = withDefaults(await readDraft(ctx, resource, judged, null))
    return { status: 200, body: await test(ctx, { ...draft, id: 0 } as unknown as SourceRow) }
  },
}

/** Passwords reach this point encrypted, whether they were stored or have just been sent. */
async function test(ctx: Context, row: SourceRow): Promise<z.infer<typeof outcome>> {
  const found: Step[] = []
  for await (const step of diagnose(directorySource(row, accountPassword(ctx.encryption, row)))) found.push(step)
  return { ...summarize(found), steps: found }
}

async function find(ctx: Context, resource: Resource, input: Input): Promise<Stored> {
  const segment = idSegment(input)
  const permission = permissionFor(resource, 'edit')
  const editable = [...visible(ctx, resource, permission), ...(await within(ctx, resource, input)).conditions]
  const found = await selectRecord(ctx.db, resource, ['id'], segment, editable)
  const stored = found && (await lockStored(ctx.db, resource, found.id as number))
  if (!stored) throw notVisible(ctx, resource, permission, segment)
  return stored
}
