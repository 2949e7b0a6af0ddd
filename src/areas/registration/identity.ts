import type { Context } from '../../context.ts'
import { BACKDATED_MS, loadSigning, openAuthority } from './authority/authority.ts'
import type { SignedCertificate } from './authority/certificate.ts'
import type { RegistrationOwner } from './key.ts'
import type { RegistrationRequest } from './registration-request.ts'

/** The new identity of a host: a certificate and its key. */
export interface Identity extends SignedCertificate {
  readonly expiresAt: Date
  /** PEM, never stored; null when the client has a key of its own. */
  readonly privateKey: string | null
}

const DAY_MS = 86_400_000

/** Creates a certificate for a UUID, and a key if the client has none. */
export async function createIdentity(
  ctx: Context,
  {
    owner,
    asked,
  }: {
    readonly owner: Pick<RegistrationOwner, 'label'>
    readonly asked: Pick<RegistrationRequest, 'hostName' | 'key'>
  },
  uuid: string,
): Promise<Identity> {
  const { createKeyPair, signIdentity } = await loadSigning()
  const [issuer, made] = await Promise.all([
    openAuthority(ctx.db, ctx.encryption),
    asked.key === null ? createKeyPair() : null,
  ])
  const publicKey = asked.key ?? made?.publicKey
  if (!publicKey) throw new Error('there is no key to certify')
  const now = ctx.now()
  const notBefore = new Date(now.getTime() - BACKDATED_MS)
  const notAfter = new Date(now.getTime() + ctx.settings.identity_certificate_days * DAY_MS)
  const signed = signIdentity(issuer, {
    uuid,
    publicKey,
    notBefore,
    notAfter,
    owner: owner.label,
    hostName: asked.hostName,
  })
  const privateKey = made?.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() ?? null
  return { ...signed, expiresAt: notAfter, privateKey }
}
