import type { Context } from '../../context.ts'
import type { Resource } from '../../kernel/index.ts'

/** Facts of a host by name, which registrations only pass on. */
export type HostFacts = ReadonlyMap<string, string | null>

/** A host that registers for the first time. */
export interface NewHost {
  readonly name: string
  readonly organization: number
  readonly location: number | null
  /** Id of the user who registers it; null: nobody. */
  readonly owner: number | null
  /** Facts, including its interfaces. */
  readonly facts: HostFacts
  /** Further values for its audit. */
  readonly audited: Readonly<Record<string, unknown>>
}

/** The values of a host that may change when it registers again. */
export interface ChangedHost {
  readonly organization?: number
}

/**
 * The functions for host records that registrations use, without knowledge of their declaration. Called in the caller's
 * transaction.
 */
export interface HostRecords {
  /** The resource of hosts, for permissions and visibility. */
  readonly resource: Resource
  /** Reads the facts of a client. {@throws Failure} malformed, naming what cannot be stored */
  readonly readFacts: (sent: Readonly<Record<string, unknown>>) => HostFacts
  /**
   * Replaces the facts of the client; those of other sources stay. The registration must still hold the client's
   * earlier facts.
   */
  readonly storeFacts: (tx: Context, host: number, facts: HostFacts) => Promise<void>
  /** Stores the first facts of a new host. */
  readonly storeFirstFacts: (tx: Context, host: number, facts: HostFacts) => Promise<void>
  /** Creates a host that is not managed, with audit. Yields its id. {@throws Failure} invalid */
  readonly create: (tx: Context, host: NewHost) => Promise<number>
  /** Changes a host, with audit. {@throws Failure} invalid */
  readonly change: (tx: Context, host: number, values: ChangedHost) => Promise<void>
  /** Deletes a host, with audit. */
  readonly remove: (tx: Context, host: number) => Promise<void>
  /** Asserts that the caller may create the host as it now is. {@throws Failure} invalid */
  readonly assertCreatable: (tx: Context, host: number) => Promise<void>
  /** Asserts that the caller may edit the host, which registers again. {@throws Failure} invalid */
  readonly assertEditable: (tx: Context, host: number) => Promise<void>
  /** Records what a registration changed of a host. */
  readonly audit: (tx: Context, host: number, changes: Readonly<Record<string, unknown>>) => Promise<void>
}
