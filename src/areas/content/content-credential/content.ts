import { z } from 'zod'
import { type Action, readAttributes, readBack, readDraft, updateStored, validate } from '../../../kernel/index.ts'

/** Answers only the text of a credential, as plain text, for programs that verify signatures. */
export const showContent: Action = {
  method: 'GET',
  path: '/:id/content',
  name: 'content',
  summary: 'Show the text of a content credential',
  permissions: ['view_content_credentials'],
  record: { how: 'found', keys: ['id', 'content'] },
  output: z.string().meta({ description: 'The text of the credential.', contentMediaType: 'text/plain' }),
  handle: async (_ctx, _resource, _input, { content }) => ({
    status: 200,
    body: String(content),
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  }),
}

/** Stores the text of a credential, sent as JSON; uploads of files are not accepted. */
export const setContent: Action = {
  method: 'POST',
  path: '/:id/content',
  name: 'set_content',
  summary: 'Replace the text of a content credential',
  permissions: ['edit_content_credentials'],
  body: z.object({ content: z.string().meta({ description: 'The text of the credential.' }) }),
  record: { how: 'locked' },
  handle: async (tx, resource, input, stored) => {
    const { content = null } = { ...input.body, ...readAttributes(resource, input.body) }
    const draft = await readDraft(tx, resource, await validate(tx, resource, { content }), stored)
    await updateStored(tx, resource, stored, draft)
    return { status: 200, body: await readBack(tx, resource, stored.id) }
  },
}
