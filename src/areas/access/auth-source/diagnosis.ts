import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { diagnose, type Step, summarize } from '../../../directory/diagnosis.ts'
import { type Action, lock, readDraft, refuseSendingElsewhere, validateBody } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { decryptAccountPassword, type SourceRow, toDirectorySource } from '../directories/sources.ts'
import { describeExpectedLogin, expectedLogin } from './expected-login.ts'
import { dropUnsupportedNetgroups, withDefaults } from './ldap-fields.ts'

const steps = z.array(
  z.object({
    name: z.string().meta({ description: 'Name of the step.' }),
    status: z.enum(['ok', 'failed', 'warning', 'skipped']).meta({ description: 'Result of the step.' }),
    milliseconds: z.number().meta({ description: 'Duration of the step.' }),
    message: z.string().meta({ description: 'Description of the result.' }),
    advice: z.string().nullable().meta({ description: 'Advice on how to fix it.' }),
    code: z.string().nullable().meta({ description: 'The reason as a word for programs; null when all is well.' }),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Facts, e.g. the certificates as presented.' }),
  }),
)

/** The result of a test of a source. */
export const outcome = z.object({
  success: z.boolean().meta({ description: 'Whether users can log in through it.' }),
  message: z.string().meta({ description: 'The same in a sentence.' }),
  steps: steps.meta({ description: 'Each step on the way, in order.' }),
})

const tried = z.object({ ...outcome.shape, person: expectedLogin.optional() })

const query = {
  login: z.string().optional().meta({ description: 'Login of a person: the answer says who they would be here.' }),
}

/** Tests a stored source (spec 4.2). Values in the body are tried in place of the stored ones, and are not stored. */
export const testStored: Action = {
  method: 'PUT',
  path: '/:id/test',
  name: 'test',
  summary: 'Test the connection to a directory, step by step',
  takes: 'update',
  query,
  output: z.object({
    id: z.int().meta({ description: 'Id of the source.' }),
    type: z.literal('AuthSourceLdap').meta({ description: 'The kind of the source.' }),
    name: z.string().meta({ description: 'Its name.' }),
    ...tried.shape,
  }),
  record: { how: 'found' },
  handle: async (ctx, resource, input, { id }): Promise<Answer> => {
    const stored = await lock(ctx, resource, id) // and unlocked at once: no transaction is open while the directory is asked
    const validated = await validateBody(ctx, resource, input.body)
    const draft = dropUnsupportedNetgroups(await readDraft(ctx, resource, validated, stored))
    refuseSendingElsewhere(resource, stored, draft)
    const row = { ...stored, ...draft } as unknown as SourceRow
    return {
      status: 200,
      body: { id: stored.id, type: 'AuthSourceLdap', name: stored.name, ...(await test(ctx, row, input)) },
    }
  },
}

/** Tests values of a source that is not stored yet (spec 4.2). */
export const testUnsaved: Action = {
  method: 'POST',
  path: '/test',
  name: 'test_unsaved',
  summary: 'Test the connection to a directory before it is stored',
  permissions: ['create_authenticators', 'edit_authenticators'],
  takes: 'create',
  query,
  output: tried,
  handle: async (ctx, resource, input): Promise<Answer> => {
    const validated = await validateBody(ctx, resource, input.body)
    const draft = withDefaults(await readDraft(ctx, resource, validated, null))
    return { status: 200, body: await test(ctx, { ...draft, id: 0 } as unknown as SourceRow, input) }
  },
}

/** Tests a source. Its password is encrypted, whether it is stored or was just sent. */
async function test(ctx: Context, row: SourceRow, { query }: Input): Promise<z.infer<typeof tried>> {
  const login = typeof query.login === 'string' && query.login !== '' ? query.login : null
  const options = login === null ? {} : { login }
  const found: Step[] = []
  for await (const step of diagnose(toDirectorySource(row, decryptAccountPassword(ctx.encryption, row)), options))
    found.push(step)
  const person = login === null ? {} : { person: await describeExpectedLogin(ctx, row, found) }
  return { ...summarize(found), steps: found, ...person }
}
