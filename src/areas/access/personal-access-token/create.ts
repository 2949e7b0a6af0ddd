import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import {
  type Action,
  createRecord,
  type Resource,
  readBack,
  readDraft,
  resolveParents,
  validateBody,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { generateToken } from '../identity/tokens.ts'
import { refuseImpersonation } from '../role/escalation.ts'
import { refuseToken } from './refuse-token.ts'

/** Creates a token and answers its value, this once. */
export const create: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Create a personal access token; its value is shown only once',
  permissions: ['create_personal_access_tokens'],
  own: true,
  body: z.object({
    personal_access_token: z
      .object({
        name: z.string().meta({ description: 'Unique among the tokens of its user.' }),
        expires_at: z.string().nullable().optional().meta({ description: 'Expiry time; null: never.' }),
      })
      .meta({ description: 'The token to create.' }),
  }),
  adds: { token_value: z.string().meta({ description: 'The secret itself. It is shown only once.' }) },
  status: 201,
  handle: createToken,
}

async function createToken(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { draft: given } = await resolveParents(ctx, resource, input)
  await refuseToken(ctx, Number(given.user), 'create_personal_access_tokens')
  await refuseImpersonation(ctx, Number(given.user))
  const validated = await validateBody(ctx, resource, input.body)
  const { value, digest } = generateToken()
  return inTransaction(ctx, async (tx) => {
    const draft = await readDraft(tx, resource, validated, null, given)
    const id = await createRecord(tx, resource, { ...draft, token: digest })
    return { status: 201, body: { ...(await readBack(tx, resource, id)), token_value: value } }
  })
}
