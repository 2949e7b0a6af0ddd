import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { sql } from '../../sql.ts'
import type { Registration } from './claim.ts'
import type { RegistrationRequest } from './registration-request.ts'

/** Attributes that were stored for a host before it was registered. */
type Wishes = Pick<
  Registration,
  'service_level' | 'release_version' | 'purpose_usage' | 'purpose_role' | 'purpose_addons' | 'autoheal'
>

/**
 * Completes the request of a client with attributes that were stored for the host before its registration, because
 * clients send blanks for unknown values (content-api §5.3). Deletes the stored attributes.
 */
export async function withStoredAttributes(
  tx: Context,
  host: number,
  asked: RegistrationRequest,
): Promise<RegistrationRequest> {
  const wishes = await row<Wishes>(
    tx.db,
    sql`delete from host_wishes where host_id = ${host}
      returning service_level, release_version, purpose_usage, purpose_role, purpose_addons, autoheal`,
  )
  if (!wishes) return asked
  const { requested: wanted } = asked
  return {
    ...asked,
    autoheal: asked.autoheal ?? wishes.autoheal,
    requested: {
      service_level: wanted.service_level || wishes.service_level,
      release_version: wanted.release_version || wishes.release_version,
      purpose_usage: wanted.purpose_usage || wishes.purpose_usage,
      purpose_role: wanted.purpose_role || wishes.purpose_role,
      purpose_addons: wanted.purpose_addons?.length ? wanted.purpose_addons : wishes.purpose_addons,
    },
  }
}
