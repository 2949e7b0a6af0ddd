import type { z } from 'zod'
import { type FieldErrors, invalid } from '../errors.ts'
import { formatIssue } from '../lib/zod-messages.ts'

/** Reads a body as a whole by its schema. {@throws Failure} invalid, with what is allowed for each key */
export function readBySchema<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const parsed = schema.safeParse(sent, { error: formatIssue })
  if (!parsed.success) throw invalid(errorsOf(parsed.error))
  return parsed.data
}

/** Yields the messages of a schema by the keys that they are about, without repetition. */
export function errorsOf({ issues }: z.ZodError): FieldErrors {
  const byKey = Map.groupBy(issues, ({ path }) => String(path[0] ?? 'base'))
  return Object.fromEntries([...byKey].map(([key, found]) => [key, listMessages(found)]))
}

/** Yields the messages about one value, without repetition; where its type is wrong, nothing else is said. */
export function messagesOf({ issues }: z.ZodError): string[] {
  const ofType = issues.filter(({ code }) => code === 'invalid_type')
  return listMessages(ofType.length > 0 ? ofType : issues)
}

function listMessages(issues: readonly { readonly message: string }[]): string[] {
  return [...new Set(issues.map(({ message }) => message))]
}
