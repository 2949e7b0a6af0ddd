import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { createPresenter, type Resource, type Row, recordStatementOf } from '../../../kernel/index.ts'

/** The keys of the host record in spec 2.4, in order. */
export const RAW_KEYS = [
  'id',
  'name',
  'certname',
  'last_compile',
  'last_report',
  'created_at',
  'updated_at',
  'root_pass',
  'grub_pass',
  'architecture_id',
  'operatingsystem_id',
  'environment_id',
  'ptable_id',
  'medium_id',
  'model_id',
  'hostgroup_id',
  'compute_resource_id',
  'image_id',
  'realm_id',
  'compute_profile_id',
  'config_proxy_id',
  'config_ca_proxy_id',
  'organization_id',
  'location_id',
  'owner_id',
  'owner_type',
  'build',
  'enabled',
  'managed',
  'comment',
  'disk',
  'uuid',
  'otp',
  'pxe_loader',
  'initiated_at',
  'installed_at',
  'use_image',
  'build_errors',
  'image_file',
  'provision_method',
  'global_status',
  'lookup_value_matcher',
]

/**
 * Loads the host record of spec 2.4, which configuration runs and deletions answer: times in ISO format, passwords
 * masked. Permissions are checked by the calling function. {@throws Failure} not_found
 */
export async function loadRawHost(ctx: Context, hosts: Resource, id: number): Promise<Row> {
  return loadRawHostWithNext(ctx, hosts, id)()
}

/** Loads it with the next statement of the transaction, such as the one that ends it; yields a function to be called then. */
export function loadRawHostWithNext(ctx: Context, hosts: Resource, id: number): () => Promise<Row> {
  const loading = ctx.db.enqueue<Row>(recordStatementOf(hosts, RAW_KEYS, id))
  return async () => {
    const [found] = await loading()
    if (!found) throw notFound(hosts.name, id)
    return createPresenter(hosts, RAW_KEYS, 'iso')(found)
  }
}
