type Changes = Readonly<Record<string, unknown>>

const KINDS = [
  ['owner_user_id', 'User'],
  ['owner_usergroup_id', 'Usergroup'],
] as const

/**
 * Translates the owner of a host in an audit: clients know an id and a type, while this service has one column for each
 * type.
 */
export function toVendorOwner(changes: Changes): Changes {
  const [[user], [group]] = KINDS
  if (!(user in changes || group in changes)) return changes
  const { [user]: users, [group]: groups, ...others } = changes
  if (!Array.isArray(users ?? groups)) return { ...others, ...ownerOf(users, groups) }
  const [before, after] = [0, 1].map((moment) => ownerOf(readMoment(users, moment), readMoment(groups, moment)))
  return {
    ...others,
    owner_id: [before?.owner_id, after?.owner_id],
    ...(before?.owner_type !== after?.owner_type && { owner_type: [before?.owner_type, after?.owner_type] }),
  }
}

function ownerOf(...ids: readonly unknown[]): { readonly owner_id: unknown; readonly owner_type: string | null } {
  const kind = ids.findIndex((id) => typeof id === 'number')
  return { owner_id: ids[kind] ?? null, owner_type: KINDS[kind]?.[1] ?? null }
}

/** Yields the value before (0) or after (1) a change; null for what did not change. */
function readMoment(values: unknown, moment: number): unknown {
  return Array.isArray(values) ? values[moment] : null
}
