/** Tests a provider step by step, and says for each step what to do. */
import { authorizationCodeGrant } from 'openid-client'
import type { OpenIdError, OpenIdProblem } from './errors.ts'
import { toOpenIdError } from './failures.ts'
import type { ProviderSettings } from './provider.ts'
import type { Discovered, RelyingParty } from './relying-party.ts'

/** One step of the test of a provider, with its result. */
export interface ProviderStep {
  readonly name: 'discovery' | 'keys' | 'algorithms' | 'pkce' | 'client' | 'logout'
  readonly status: 'ok' | 'failed' | 'warning' | 'skipped'
  readonly milliseconds: number
  readonly message: string
  readonly advice: string | null
  readonly code: OpenIdProblem | null
  readonly details: Readonly<Record<string, unknown>>
}

type Result = Pick<ProviderStep, 'message'> & Partial<ProviderStep>
type Examine = (provider: ProviderSettings, found: Discovered) => Promise<Result> | Result

/** Tests a provider; later steps are skipped after a failed one. Never throws for what a provider does. */
export async function testProvider(
  party: RelyingParty,
  provider: ProviderSettings,
  redirectUri: string,
): Promise<{ readonly success: boolean; readonly message: string; readonly steps: readonly ProviderStep[] }> {
  let found: Discovered | null = null
  const steps = [
    await take('discovery', async () => {
      found = await party.learn(provider, 'anew')
      const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = found.configuration.serverMetadata()
      const details = { issuer, authorization_endpoint, token_endpoint, jwks_uri }
      return { message: `The provider calls itself ${issuer}.`, details }
    }),
  ]
  for (const [name, examine] of Object.entries(buildExaminations(redirectUri)) as [ProviderStep['name'], Examine][]) {
    const discovered: Discovered | null = found
    const before = steps.find(({ status }) => status === 'failed')
    if (before || discovered === null) steps.push(buildSkipped(name, before?.name ?? 'discovery'))
    else steps.push(await take(name, async () => examine(provider, discovered)))
  }
  const failed = steps.find(({ status }) => status === 'failed')
  const message = failed
    ? `Logins cannot work (${failed.name}: ${failed.message})`
    : 'The provider answers as it should.'
  return { success: !failed, message, steps }
}

function buildExaminations(redirectUri: string): Readonly<Partial<Record<ProviderStep['name'], Examine>>> {
  return {
    keys: examineKeys,
    algorithms: ({ algorithms }, { configuration }) => {
      const offered = configuration.serverMetadata().id_token_signing_alg_values_supported ?? ['RS256']
      const common = algorithms.filter((one) => offered.includes(one))
      const details = { offered, accepted: algorithms }
      if (common.length > 0) return { message: `Both sides know ${common.join(', ')}.`, details }
      const advice = `Add one of ${offered.join(', ')} to algorithms, if it is not HS256 or none.`
      return {
        status: 'failed',
        code: 'wrong_algorithm',
        message: 'No algorithm of signatures is in common.',
        advice,
        details,
      }
    },
    pkce: (_provider, { configuration }) =>
      configuration.serverMetadata().supportsPKCE()
        ? { message: 'The provider supports PKCE.' }
        : {
            status: 'warning',
            message: 'The provider does not say that it supports PKCE.',
            advice: 'Switch PKCE with S256 on at the provider. It is used in any case.',
          },
    client: (_provider, discovered) => examineClient(discovered, redirectUri),
    logout: (_provider, { configuration }) =>
      configuration.serverMetadata().end_session_endpoint
        ? { message: 'Users who log out here log out at the provider, too.' }
        : {
            status: 'warning',
            message: 'The provider has no page for logouts.',
            advice: 'Users stay logged in there.',
          },
  }
}

async function examineKeys(_provider: ProviderSettings, { configuration, fetch }: Discovered): Promise<Result> {
  const { jwks_uri = '' } = configuration.serverMetadata()
  const response = await fetch(jwks_uri, {})
  const { keys } = (await response.json()) as { keys?: unknown[] } // what it is, is looked at next
  if (Array.isArray(keys) && keys.length > 0) return { message: `The provider publishes ${keys.length} keys.` }
  return {
    status: 'failed',
    code: 'unknown_key',
    message: 'The provider publishes no keys.',
    advice: `Look at ${jwks_uri}.`,
  }
}

/** Redeems a code that nobody has issued: a provider that knows the client refuses the code, and not the client. */
async function examineClient({ configuration }: Discovered, redirectUri: string): Promise<Result> {
  const answer = new URL(redirectUri)
  const { issuer } = configuration.serverMetadata()
  for (const [name, value] of Object.entries({ code: 'test', state: 'test', iss: issuer }))
    answer.searchParams.set(name, value)
  const details = { redirect_uri: redirectUri }
  try {
    await authorizationCodeGrant(configuration, answer, { expectedState: 'test', pkceCodeVerifier: 't'.repeat(43) })
  } catch (cause) {
    const error = toOpenIdError(cause)
    if (error.code !== 'no_login' && error.code !== 'refused') throw error
  }
  return {
    message: 'The provider accepts client_id and client_secret.',
    advice: `Enter ${redirectUri} there.`,
    details,
  }
}

async function take(name: ProviderStep['name'], work: () => Promise<Result>): Promise<ProviderStep> {
  const begun = performance.now()
  const result = await work().catch((thrown: unknown): Result => {
    const error = toOpenIdError(thrown)
    return { status: 'failed', code: error.code, message: error.message, advice: adviceOf(error) }
  })
  const milliseconds = Math.round(performance.now() - begun)
  return { name, status: 'ok', milliseconds, advice: null, code: null, details: {}, ...result }
}

function buildSkipped(name: ProviderStep['name'], because: string): ProviderStep {
  const message = `Not tried, because an earlier step failed (${because}).`
  return { name, status: 'skipped', milliseconds: 0, message, advice: null, code: null, details: {} }
}

function adviceOf({ code }: OpenIdError): string {
  return ADVICE[code] ?? 'Look at the log of the provider.'
}

const ADVICE: Partial<Record<OpenIdProblem, string>> = {
  unreachable: 'Check issuer, name resolution, firewall and the setting http_proxy.',
  slow: 'Check the network between this machine and the provider.',
  untrusted: 'Enter the CA of the provider as ca_certificate.',
  wrong_issuer: 'Enter as issuer what the provider calls itself.',
  client_refused: 'Check client_id and client_secret, and how the provider expects the secret.',
  misconfigured: 'Check issuer: it is the part in front of /.well-known/openid-configuration.',
}
