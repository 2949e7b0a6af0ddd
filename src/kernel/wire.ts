import type { Input, Route } from '../requests/route.ts'
import { isMembers } from '../values.ts'
import type { Handler, Resource } from './definition.ts'
import type { Operation, Sent } from './record.ts'

/** Yields the handler of a route: the resource's own or the usual one, with present names in place of older ones. */
export function adaptHandler(resource: Resource, operation: Operation, usual: Handler): Route['handle'] {
  const { aliases, handlers } = resource.wire ?? {}
  const handle = handlers?.[operation] ?? usual
  return (ctx, sent) => handle(ctx, resource, aliases ? withNewWords(resource, aliases, sent) : sent)
}

function withNewWords({ word }: Resource, aliases: Readonly<Record<string, string>>, input: Input): Input {
  const body = renameKeys(input.body, aliases)
  const root = body[word]
  return {
    ...input,
    query: renameKeys(input.query, aliases),
    body: isMembers(root) ? { ...body, [word]: renameKeys(root, aliases) } : body,
  }
}

function renameKeys(keys: Sent, aliases: Readonly<Record<string, string>>): Sent {
  const used = Object.entries(aliases).filter(([alias, name]) => keys[alias] !== undefined && keys[name] === undefined)
  return { ...keys, ...Object.fromEntries(used.map(([alias, name]) => [name, keys[alias]])) }
}
