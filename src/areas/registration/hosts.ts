import type { Context } from '../../context.ts'
import type { Resource } from '../../kernel/definition.ts'

/** Facts of a host by their names here; opaque to registrations. */
export type HostFacts = ReadonlyMap<string, string | null>

/** A host that registers for the first time. */
export interface NewHost {
  readonly name: string
  readonly organization: number
  readonly location: number | null
  /** The user who registers it; null: nobody. */
  readonly owner: number | null
  /** Its interfaces are in them. */
  readonly facts: HostFacts
  /** What its audit says beside its own values. */
  readonly audited: Readonly<Record<string, unknown>>
}

/** What changes of a host that registers again. */
export interface ChangedHost {
  readonly organization?: number
}

/** What registrations ask of the records of hosts, which they do not know themselves. All inside the caller's transaction. */
export interface HostRecords {
  /** What users may do with hosts, and with which. */
  readonly resource: Resource
  /** The facts that a client sent. {@throws Failure} malformed naming what cannot be stored */
  readonly readFacts: (sent: Readonly<Record<string, unknown>>) => HostFacts
  /** Facts that others tell stay. What the client told before must be stored beside the registration still. */
  readonly storeFacts: (tx: Context, host: number, facts: HostFacts) => Promise<void>
  /** The facts of a host that has none of anybody. */
  readonly storeFirstFacts: (tx: Context, host: number, facts: HostFacts) => Promise<void>
  /** A host made as any other, audited, not managed. Yields its id. {@throws Failure} invalid */
  readonly create: (tx: Context, host: NewHost) => Promise<number>
  /** {@throws Failure} invalid */
  readonly change: (tx: Context, host: number, values: ChangedHost) => Promise<void>
  readonly remove: (tx: Context, host: number) => Promise<void>
  /** Refuses when the caller could not have made the host as it is now. {@throws Failure} invalid */
  readonly assertCreatable: (tx: Context, host: number) => Promise<void>
  /** Refuses when the caller may not edit the host, which is registered anew. {@throws Failure} invalid */
  readonly assertEditable: (tx: Context, host: number) => Promise<void>
  /** Records what registering did to a host. */
  readonly audit: (tx: Context, host: number, changes: Readonly<Record<string, unknown>>) => Promise<void>
}
