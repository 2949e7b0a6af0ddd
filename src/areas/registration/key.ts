/** A record by its id and what people call it. */
export interface RecordName {
  readonly id: number
  readonly name: string
}

/** A content view in a lifecycle environment that has a version of it. */
export interface Pair {
  readonly environment: RecordName
  readonly content_view: RecordName
  /** `<label of the environment>/<label of the view>`; the default view goes by the label of its environment alone. */
  readonly label: string
}

/** Something that a host sees otherwise than the product says: whether a content is enabled, for one. */
export interface Override {
  readonly content_id: number
  readonly content_label: string
  readonly name: string
  readonly value: string
}

/** A pool of a key, and how many of it each host takes; null: as many as it needs. */
export interface AttachedPool extends RecordName {
  readonly quantity: number | null
}

/** What a key gives to the hosts that register with it (content-api §5.3). */
export interface KeyGrants extends RecordName {
  /** The ordered list of pairs; empty while the key lacks one half of its first. */
  readonly environments: readonly Pair[]
  readonly host_collections: readonly RecordName[]
  readonly overrides: readonly Override[]
  readonly service_level: string | null
  readonly release_version: string | null
  readonly purpose_usage: string | null
  readonly purpose_role: string | null
  readonly purpose_addons: readonly string[]
  readonly auto_attach: boolean
  readonly subscriptions: readonly AttachedPool[]
}

/** What an organization has to say about its registrations. */
export interface RegistrationOwner extends RecordName {
  readonly label: string
  /** `entitlement`: hosts get the content of their subscriptions; `org_environment`: all content of their environment. */
  readonly content_access_mode: 'org_environment' | 'entitlement'
  /** For hosts that neither say theirs nor get it from a key. */
  readonly service_level: string | null
  /** Those that its pools offer; none: any may be asked for. */
  readonly service_levels: readonly string[]
}

/** What a host asks for by itself. */
export interface RequestedAttributes {
  readonly service_level?: string | null
  readonly release_version?: string | null
  readonly purpose_usage?: string | null
  readonly purpose_role?: string | null
  readonly purpose_addons?: readonly string[]
}
