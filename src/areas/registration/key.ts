/** The id and name of a record. */
export interface RecordName {
  readonly id: number
  readonly name: string
}

/** A content view in a lifecycle environment that has a version of it. */
export interface Pair {
  readonly environment: RecordName
  readonly content_view: RecordName
  /** `<label of the environment>/<label of the view>`; for the default view in the Library only `<label of the environment>`. */
  readonly label: string
}

/** A property of content that a host sees differently from the product's default, e.g. whether it is enabled. */
export interface Override {
  readonly content_id: number
  readonly content_label: string
  readonly name: string
  readonly value: string
}

/** A pool of a key and how many uses each host takes; null: one. */
export interface AttachedPool extends RecordName {
  readonly quantity: number | null
}

/** The system purpose of hosts, from the host itself or from its keys, which selects its content. */
export interface SubscriptionAttributes {
  readonly service_level: string | null
  readonly release_version: string | null
  readonly purpose_usage: string | null
  readonly purpose_role: string | null
  readonly purpose_addons: readonly string[]
}

/** The names of subscription attributes, in the order in which answers have them. */
export const SUBSCRIPTION_ATTRIBUTES = [
  'service_level',
  'release_version',
  'purpose_usage',
  'purpose_role',
  'purpose_addons',
] as const satisfies readonly (keyof SubscriptionAttributes)[]

/** The values that a key gives to hosts at registration (content-api §5.3). */
export interface KeyGrants extends RecordName, SubscriptionAttributes {
  /** The pairs in order; empty while view or environment of the first one is missing. */
  readonly environments: readonly Pair[]
  readonly host_collections: readonly RecordName[]
  readonly overrides: readonly Override[]
  readonly auto_attach: boolean
  readonly subscriptions: readonly AttachedPool[]
}

/** An organization with its defaults for registrations. */
export interface RegistrationOwner extends RecordName {
  readonly label: string
  /**
   * `entitlement`: hosts get the content of their subscriptions; `org_environment`: all content of their environment.
   */
  readonly content_access_mode: 'org_environment' | 'entitlement'
  /** The default for hosts without a service level of their own or from a key. */
  readonly service_level: string | null
  /** The service levels that its pools offer; empty: any may be requested. */
  readonly service_levels: readonly string[]
}

/** The attributes that a host requests itself. */
export interface RequestedAttributes {
  readonly service_level?: string | null
  readonly release_version?: string | null
  readonly purpose_usage?: string | null
  readonly purpose_role?: string | null
  readonly purpose_addons?: readonly string[]
}
