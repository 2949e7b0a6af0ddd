import { mayUse } from '../../api/allowed.ts'
import type { Caller } from '../../api/session.ts'
import { type ApiRecord, textOf, type Where } from '../resources.ts'

/** Tells whether a record can be cloned here: by the API, or, a host, in the form of a new one. */
export function mayClone(caller: Caller, where: Where): boolean {
  const { resource } = where
  if (resource.plural === 'hosts') return mayUse(caller, resource.operations.create, where)
  return resource.clone !== undefined && mayUse(caller, resource.clone, where)
}

/** Yields the address where a host is cloned: the form of a new one, with its values. */
export function cloneAddressOf({ home, resource }: Where, record: ApiRecord): string {
  return `${home}/new?clone=${encodeURIComponent(textOf(record, resource))}`
}

/** What a clone of a host does not take over, because it belongs to one host. */
export const OF_ONE_HOST: ReadonlySet<string> = new Set([
  ...['name', 'certname', 'uuid', 'ip', 'ip6', 'mac', 'build', 'image_file', 'otp', 'root_pass', 'disk'],
  ...['interfaces_attributes', 'content_facet_attributes', 'subscription_facet_attributes', 'use_image'],
])
