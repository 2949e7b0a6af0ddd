import type { Context } from '../../context.ts'
import type { Registry } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { encNamed } from '../host/enc.ts'
import { type Format, nodeAnswer, noNode } from './answer.ts'
import { namedNode } from './node.ts'

/** Which host, and how its document is sent. */
interface Asked {
  readonly name: string
  readonly format: Format
}

/** The document of any host, for callers that see all of them. */
export async function answerProxy(ctx: Context, input: Input, { name, format }: Asked): Promise<Answer> {
  const prepared = await namedNode(ctx, name)
  return prepared ? nodeAnswer(ctx, prepared, format, input.headers?.['if-none-match']) : noNode(name, format)
}

/** The document of a host that the user may see. */
export function answerUser(registry: Registry): (ctx: Context, input: Input, asked: Asked) => Promise<Answer> {
  const hosts = registry.get('host')
  if (!hosts) throw new Error('there is no resource named host')
  return (ctx, input, asked) => encNamed(ctx, hosts, input, asked)
}
