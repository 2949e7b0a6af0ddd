import { z } from 'zod'
import type { Resource, Sent } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { isMembers } from '../../../lib/values.ts'
import { readBySchema } from '../../../requests/by-schema.ts'
import { buildIdsSchema } from '../../../requests/named.ts'
import { NOT_INTEGER, NOT_STORABLE, toBoolean, toInteger } from '../../../requests/sent.ts'

/** The greatest number that a version may get: the column of the next one holds no more than one above it. */
const LARGEST = 2_147_483_646

/** Schemas for keys in bodies of actions, which convert values as fields do; null counts as absent. */
export const bodyFields = {
  whole: (description: string) =>
    z
      .preprocess(
        toInteger,
        z.int({ error: NOT_INTEGER }).min(0, 'must be 0 or more').max(LARGEST, `must be at most ${LARGEST}`).nullish(),
      )
      .meta({ description }),
  id: (description: string) =>
    z.preprocess(toInteger, z.int({ error: NOT_INTEGER }).positive(NOT_INTEGER).nullish()).meta({ description }),
  ids: (description: string) =>
    z
      .preprocess((sent) => (Array.isArray(sent) ? sent.map(toInteger) : sent), buildIdsSchema().nullish())
      .meta({ description }),
  truth: (description: string) =>
    z.preprocess(toBoolean, z.boolean({ error: 'must be true or false' }).nullish()).meta({ description }),
  text: (description: string) =>
    z.string({ error: 'must be text' }).max(65_535).refine(isValidText, NOT_STORABLE).nullish().meta({ description }),
}

/** Reads the body of an action, at the top level or under the word of the resource. {@throws Failure} invalid */
export function readActionBody<Schema extends z.ZodObject>(
  schema: Schema,
  { word }: Resource,
  body: Sent,
): z.infer<Schema> {
  const wrapped = body[word]
  return readBySchema(schema, isMembers(wrapped) ? { ...body, ...wrapped } : body)
}
