import type { Context } from '../../../context.ts'
import { limitToVisible, permissionFor } from '../../../kernel/authorize.ts'
import { findResource } from '../../../kernel/registry.ts'
import type { Registry, Resource } from '../../../kernel/resource.ts'
import type { Answer, Input } from '../../../kernel/route.ts'
import { answerDocumentByName } from '../host/enc.ts'
import { answerMissingNode, answerNode, type Format } from './answer.ts'
import { loadNodeByName } from './node.ts'
import { EVERYTHING, WITHOUT_SECRETS } from './prepare.ts'

/** Which host, and how its document is sent. */
interface Asked {
  readonly name: string
  readonly format: Format
  /** What the parameters are called that the service itself makes. */
  readonly called: (parameter: string) => string
}

/** The document of a host that the machine acts for: whole, or without secrets for a machine that is not known. */
export function answerMachine(
  registry: Registry,
): (ctx: Context, input: Input, asked: Asked, isKnown: boolean) => Promise<Answer> {
  const hosts = hostsOf(registry)
  return async (ctx, input, { name, format, called }, isKnown) => {
    const conditions = limitToVisible(ctx, hosts, permissionFor(hosts, 'view'))
    const prepared = await loadNodeByName(ctx, name, isKnown ? EVERYTHING : WITHOUT_SECRETS, conditions)
    return prepared
      ? answerNode(ctx, prepared, { format, called }, input.headers?.['if-none-match'])
      : answerMissingNode(name, format)
  }
}

/** The document of a host that the user may see. */
export function answerUser(registry: Registry): (ctx: Context, input: Input, asked: Asked) => Promise<Answer> {
  const hosts = hostsOf(registry)
  return (ctx, input, asked) => answerDocumentByName(ctx, hosts, input, asked)
}

function hostsOf(registry: Registry): Resource {
  const hosts = findResource(registry, 'host')
  return hosts
}
