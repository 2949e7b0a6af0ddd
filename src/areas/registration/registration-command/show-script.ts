import type { Context } from '../../../context.ts'
import type { Registry } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { formatRegistrationScript } from '../script.ts'
import { resolveBaseUrl } from './command.ts'
import { type Options, readOptionsOfToken, refuseOtherKeys, resolveKeyNames, resolveOrganization } from './options.ts'
import { answerScript, OF_HOST, requirePermission, type Served } from './script-answer.ts'

/** `GET /register`: answers the script that registers a host (content-api §5.1), in the context of the token's user. */
export async function showScript(ctx: Context, registry: Registry, input: Input, served: Served): Promise<Answer> {
  requirePermission(ctx)
  const options = await readOptionsOfToken(ctx, registry, input.query, served.holder)
  const owner = await resolveOrganization(ctx, options)
  const keys = await resolveKeyNames(ctx, options)
  refuseOtherKeys(keys, served.holder)
  const script = formatRegistrationScript({
    base: await resolveBaseUrl(ctx, input, options),
    token: served.token,
    certificates: served.certificates,
    owner: owner.label,
    keys,
    host: sentOfHost(options, owner.id),
    packages: options.packages ?? [],
    repository: options.repo || null,
    repositoryKey: options.repo_gpg_key_url || null,
    updatePackages: options.update_packages === true,
    force: options.force === true,
    ignoreClientErrors: options.ignore_subman_errors === true,
    insecure: options.insecure === true,
  })
  return answerScript(script)
}

const SET_UP = ['setup_insights', 'setup_remote_execution'] as const

function sentOfHost(options: Options, organization: number): Record<string, string> {
  const ids = OF_HOST.flatMap((key) =>
    typeof options[key] === 'number' ? [[`host[${key}]`, String(options[key])]] : [],
  )
  const flags = SET_UP.flatMap((key) => (typeof options[key] === 'boolean' ? [[key, String(options[key])]] : []))
  return Object.fromEntries([
    ['host[build]', 'false'],
    ['host[organization_id]', String(organization)],
    ...ids,
    ...flags,
  ])
}
