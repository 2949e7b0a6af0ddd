import type { z } from 'zod'
import { NOT_KEPT } from '../../src/dialect/refused-later.ts'
import { MIRRORED, SENT_TWICE } from '../../src/dialect/table.ts'
import type { Route } from '../../src/requests/route.ts'
import { declared } from '../support/declared.ts'

/** Keys that say where a request is asked: they are resolved before any record is looked for (core-api §1.1). */
const OF_PLACE = /^(?:organization|location)(?:_id|_name|_title)?$/

/** Keys that only the other listener looks at, before the route does. */
const OF_CLIENTS = Object.assign(
  { [MIRRORED.key]: '' },
  ...NOT_KEPT.map(({ refused }) => refused),
  ...Object.values(SENT_TWICE).map(({ again }) => ({ [again]: '' })),
)

/** Lists bodies that a route would refuse if its record were there, each with what it is called in a failure. */
export function listBadBodies({ method, body, resource: name }: Route): readonly (readonly [string, string])[] {
  if (method !== 'POST' && method !== 'PUT') return []
  const resource = name === undefined ? undefined : declared.registry.get(name)
  const described = (body as z.ZodObject | undefined)?.shape ?? {} // bodies of routes are objects
  const inner = resource ? (described[resource.word] as z.ZodObject | undefined) : undefined
  const shapes = [described, inner?.shape ?? {}, resource?.writable ?? {}, OF_CLIENTS]
  const keys = shapes.flatMap((shape) => Object.keys(shape))
  const wrong = Object.fromEntries(keys.filter((key) => !OF_PLACE.test(key)).map((key) => [key, [{ '': [] }]]))
  const word = resource?.word
  const wrapped = word === undefined ? wrong : { ...wrong, [word]: wrong }
  const whole = word === undefined ? [] : [['a text for the record', JSON.stringify({ [word]: 'text' })] as const]
  return [['every key wrong', JSON.stringify(wrapped)], ...whole]
}
