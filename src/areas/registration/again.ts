import type { X509Certificate } from 'node:crypto'
import type { Context } from '../../context.ts'
import { unknownReference } from '../../errors.ts'
import type { ExistingHost } from './known-host.ts'
import type { RegistrationRequest } from './registration-request.ts'

/** The reason why a host may be registered again, as its audit says it. */
type Proof = 'unregistered' | 'build mode' | 'certificate' | 'DMI UUID' | 'host_profile_assume' | 'user'

/**
 * Requires a reason why this machine may take the place of a known host (docs/decisions/0012-registration.md): with
 * nothing but a key it has to prove that it is the host, or the host has to wait for it; and the host has to belong to the
 * organization of the key, whose people see its secrets. Whether users may edit the host is checked elsewhere.
 * {@throws Failure} unknown_reference, with the ways to go on
 */
export function requireProof(
  ctx: Context,
  known: ExistingHost,
  asked: Pick<RegistrationRequest, 'systemUuid'>,
  certificate: X509Certificate | null,
): Proof {
  const isUser = ctx.user.id !== 0
  if (!isUser && known.organization_id === null && !ctx.settings.register_unowned_hosts)
    throw unknownReference(describeUnowned(known))
  if (known.uuid === null) return 'unregistered'
  if (isUser) return 'user'
  if (isPresent(known, certificate)) return 'certificate'
  if (isSameMachine(known, asked)) return 'DMI UUID'
  if (known.build) return 'build mode'
  if (ctx.settings.host_profile_assume) return 'host_profile_assume'
  throw unknownReference(describeRefusal(known, asked))
}

/**
 * Tells whether another machine than the registered host asks, as far as that can be known. Used keys for one
 * registration are refused to it.
 */
export function isStranger(
  known: ExistingHost | null,
  asked: Pick<RegistrationRequest, 'systemUuid'>,
  certificate: X509Certificate | null,
): boolean {
  return known !== null && known.uuid !== null && !isSameMachine(known, asked) && !isPresent(known, certificate)
}

function isSameMachine(known: ExistingHost, { systemUuid }: Pick<RegistrationRequest, 'systemUuid'>): boolean {
  return known.system_uuid !== null && known.system_uuid === systemUuid
}

/** Whether the certificate is the stored one, byte for byte, and still valid. */
function isPresent({ certificate: stored, expired }: ExistingHost, certificate: X509Certificate | null): boolean {
  return certificate !== null && stored !== null && !expired && certificate.toString().trim() === stored.trim()
}

function describeUnowned({ name }: ExistingHost): string {
  return `Host ${name} is known and belongs to no organization: give it the organization of the key, or register it as a user who may edit it.`
}

function describeRefusal(
  { name, system_uuid }: ExistingHost,
  { systemUuid }: Pick<RegistrationRequest, 'systemUuid'>,
): string {
  const differs =
    system_uuid !== null && systemUuid !== null
      ? 'This host is reporting a DMI UUID that differs from the existing registration.'
      : 'This host does not report the DMI UUID of the existing registration.'
  return `${differs} Host ${name} is registered: unregister it, put it into build mode, register with its present certificate, or as a user who may edit it.`
}
