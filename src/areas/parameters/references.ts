import type { Context } from '../../context.ts'
import { findReference } from '../../encryption/hidden-values.ts'
import { REASONS, UnreadableReference } from '../../references/unreadable-reference.ts'

/** A hidden value that may be a reference: JSON, with a name for people. */
interface HiddenValue {
  readonly id: number
  readonly name: string
  /** The JSON that `openKept` has yielded. */
  readonly value: string | null
}

/** The secrets by id, and a sentence for each that cannot be read. */
interface Resolved {
  readonly values: ReadonlyMap<number, string>
  readonly failures: readonly string[]
}

/**
 * Reads the secrets that hidden values refer to. In a transaction, which must not wait for others, nothing is read: previews show the
 * references. Sentences never contain secrets.
 */
export async function resolveReferences(
  ctx: Pick<Context, 'db' | 'references' | 'log'>,
  found: readonly HiddenValue[],
): Promise<Resolved> {
  const values = new Map<number, string>()
  const failures: string[] = []
  const references = ctx.db.isTransaction ? [] : found.filter(({ value }) => findReference(value) !== null)
  const read = references.map(async ({ id, name, value }) => {
    const secret = await readReference(ctx, `Parameter '${name}'`, findReference(value) ?? '')
    if ('failure' in secret) failures.push(secret.failure)
    else values.set(id, secret.text)
  })
  await Promise.all(read)
  return { values, failures: failures.sort() }
}

/** Reads one secret; or says why not, in a sentence for people, with `what` as its subject, and more in the log. */
export async function readReference(
  { references, log }: Pick<Context, 'references' | 'log'>,
  what: string,
  text: string,
): Promise<{ readonly text: string } | { readonly failure: string }> {
  try {
    return { text: await references.read(text) }
  } catch (error) {
    if (!(error instanceof UnreadableReference)) throw error
    const { reason, message } = error
    log.warn({ parameter: what, reference: text, reason, detail: message }, 'secret not read')
    return { failure: `${what} refers to ${text}, but ${REASONS[reason]}` }
  }
}
