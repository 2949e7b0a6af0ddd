import { type Context, withRollback } from '../../../context.ts'
import { type Action, type CollectionAction, type Fields, type Resource, runAction } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { presentPreview, type Watched } from './present-preview.ts'
import { asksForPreview, PREVIEW, PREVIEW_QUERY } from './preview-schemas.ts'
import { watchDocument } from './previewed-document.ts'

/**
 * Reads before a write what it may change; the result, called after the write, yields which hosts it changes and how.
 */
export type Watch = (ctx: Context, resource: Resource, input: Input) => Promise<() => Promise<Watched>>

/** Adds a preview to an action: with `preview=true` in the query it stores nothing and answers what would change. */
export function withPreview<F extends Fields>(written: Action<F>, watch: Watch): CollectionAction {
  const { record: _, handle: __, ...facts } = written
  return {
    ...facts,
    query: { ...written.query, ...PREVIEW_QUERY },
    previews: PREVIEW,
    handle: (ctx, resource, input) =>
      asksForPreview(input)
        ? answerPreview(ctx, resource, input, written, watch)
        : runAction(written, ctx, resource, input),
  }
}

/** Answers what a write would change for hosts that the caller may see. */
async function answerPreview(
  ctx: Context,
  resource: Resource,
  input: Input,
  action: Action,
  watch: Watch,
): Promise<Answer> {
  const body = await withRollback(ctx, async (tx) => {
    const host = readSingle(input.query, 'preview_host_id')
    const lookAtDocument = host === null ? null : await watchDocument(tx, resource.registry, host, input.query)
    const look = await watch(tx, resource, input)
    await runAction(action, tx, resource, input)
    const seen = await presentPreview(tx, resource, input, await look())
    return lookAtDocument ? { ...seen, document: await lookAtDocument() } : seen
  })
  return { status: 200, body }
}
