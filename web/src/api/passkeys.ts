import { t } from '../words/words.ts'
import { ApiError } from './error.ts'

type Json = Readonly<Record<string, unknown>>

/** Whether the browser can use passkeys here: it needs HTTPS, or the own machine. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Has the browser make a passkey, and yields what the service confirms it by. {@throws ApiError} */
export function createPasskey(options: Json): Promise<Json> {
  return requirePasskey(() => {
    // The service sends what the standard describes, which the schema of its answer does not repeat.
    const json = options as unknown as PublicKeyCredentialCreationOptionsJSON
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json) })
  })
}

/** Has the browser ask a passkey to sign. {@throws ApiError} */
export function signWithPasskey(options: Json): Promise<Json> {
  return requirePasskey(() => {
    // As above.
    const json = options as unknown as PublicKeyCredentialRequestOptionsJSON
    return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) })
  })
}

async function requirePasskey(ask: () => Promise<Credential | null>): Promise<Json> {
  const credential = await ask().catch(() => null)
  // The browser does not say why: the user may have cancelled it, or there is no such passkey.
  if (!(credential instanceof PublicKeyCredential))
    throw new ApiError({ status: 400, message: t('login.passkey.none') })
  return { ...credential.toJSON() }
}
