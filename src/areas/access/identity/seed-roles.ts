import { type Db, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { type PermissionDeclaration, SEEDED_ROLES, type SeededRole, selectSeededPermissions } from './roles.ts'

/** Roles of this origin are locked and updated with the program. They can be cloned. */
const LOCKED_ORIGIN = 'millwright'

/**
 * Inserts and updates permissions as the catalogue has them, and yields the new names. Those that are no longer in the
 * catalogue are deleted by `syncRoles`.
 */
export async function syncPermissions(
  tx: Db,
  catalogue: readonly PermissionDeclaration[],
): Promise<ReadonlySet<string>> {
  const declared = sql`jsonb_to_recordset(${JSON.stringify(catalogue)}::jsonb) as declared (name text, "resourceType" text)`
  const added = await rows<{ name: string }>(
    tx,
    sql`
      insert into permissions (name, resource_type)
      select name, "resourceType" from ${declared}
      on conflict (name) do nothing
      returning name`,
  )
  await rows(
    tx,
    sql`
      update permissions set resource_type = declared."resourceType", updated_at = now()
      from ${declared}
      where declared.name = permissions.name and declared."resourceType" is distinct from permissions.resource_type`,
  )
  return new Set(added.map(({ name }) => name))
}

/**
 * Creates the seeded roles. Locked ones get exactly their permissions; the default role gets those of its own that are
 * new. Roles of users with such a name are left alone. Then permissions that are no longer in the catalogue are deleted, but
 * for those that a filter refers to.
 */
export async function syncRoles(
  tx: Db,
  catalogue: readonly PermissionDeclaration[],
  added: ReadonlySet<string>,
): Promise<void> {
  const seeds = SEEDED_ROLES.map((role) => ({ role, permissions: selectSeededPermissions(role, catalogue) }))
  await insertRoles(
    tx,
    seeds.filter(({ role, permissions }) => role.builtin === 2 || permissions.length > 0),
  )
  const stored = await loadRoles(tx)
  const grants: RoleGrant[] = []
  for (const { role, permissions } of seeds) {
    const found = stored.find((one) => isSeeded(one, role))
    if (!found) continue
    const isLocked = role.builtin !== 2
    const wanted = isLocked ? permissions : permissions.filter(({ name }) => added.has(name))
    if (isLocked && hasSameNames(found.permissions, wanted)) continue
    if (isLocked) await rows(tx, sql`delete from filters where role_id = ${found.id}`)
    grants.push(
      ...wanted.map(({ name }) => ({ role: found.id, permission: name, search: role.searches?.[name] ?? null })),
    )
  }
  if (grants.length > 0) await insertFilters(tx, grants)
  await deleteUnknownPermissions(tx, catalogue)
}

interface RoleGrant {
  readonly role: number
  readonly permission: string
  readonly search: string | null
}

interface StoredRole {
  readonly id: number
  readonly name: string
  readonly builtin: number
  readonly origin: string | null
  readonly permissions: readonly string[]
}

async function insertRoles(tx: Db, seeds: readonly { readonly role: SeededRole }[]): Promise<void> {
  const declared = JSON.stringify(
    seeds.map(({ role }) => ({ ...role, origin: role.builtin === 2 ? null : LOCKED_ORIGIN })),
  )
  await rows(
    tx,
    sql`
      insert into roles (name, description, builtin, origin)
      select name, description, builtin, origin
      from jsonb_to_recordset(${declared}::jsonb) as declared (name text, description text, builtin int, origin text)
      where declared.builtin = 0 or not exists (select from roles where builtin = declared.builtin)
      on conflict (name) do nothing`,
  )
}

function loadRoles(tx: Db): Promise<StoredRole[]> {
  return rows<StoredRole>(
    tx,
    sql`
      select roles.id, roles.name, roles.builtin, roles.origin,
             coalesce((select jsonb_agg(permissions.name)
                       from filters
                       join filter_permissions on filter_permissions.filter_id = filters.id
                       join permissions on permissions.id = filter_permissions.permission_id
                       where filters.role_id = roles.id), '[]') as permissions
      from roles
      where roles.origin = ${LOCKED_ORIGIN} or roles.builtin = 2`,
  )
}

function isSeeded(stored: StoredRole, role: SeededRole): boolean {
  return role.builtin === 2 ? stored.builtin === 2 : stored.origin === LOCKED_ORIGIN && stored.name === role.name
}

function hasSameNames(stored: readonly string[], wanted: readonly PermissionDeclaration[]): boolean {
  const names = new Set(stored)
  return names.size === stored.length && names.size === wanted.length && wanted.every(({ name }) => names.has(name))
}

/**
 * Inserts one filter for each role, resource type and search (core-api §7.1). Ids are drawn first, because inserted
 * rows come back in no defined order.
 */
async function insertFilters(tx: Db, grants: readonly RoleGrant[]): Promise<void> {
  await rows(
    tx,
    sql`
      with wanted as (
        select wanted.role as role_id, permissions.resource_type, wanted.search, array_agg(permissions.id) as permission_ids
        from jsonb_to_recordset(${JSON.stringify(grants)}::jsonb) as wanted (role bigint, permission text, search text)
        join permissions on permissions.name = wanted.permission
        group by wanted.role, permissions.resource_type, wanted.search
        order by wanted.role, permissions.resource_type, wanted.search
      ),
      numbered as materialized (
        select nextval(pg_get_serial_sequence('filters', 'id')) as id, role_id, search, permission_ids from wanted
      ),
      made as (
        insert into filters (id, role_id, search) select id, role_id, search from numbered
      )
      insert into filter_permissions (filter_id, permission_id)
      select id, unnest(permission_ids) from numbered`,
  )
}

async function deleteUnknownPermissions(tx: Db, catalogue: readonly PermissionDeclaration[]): Promise<void> {
  await rows(
    tx,
    sql`
      delete from permissions
      where not (name = any (${catalogue.map(({ name }) => name)}::text[]))
        and not exists (select from filter_permissions where permission_id = permissions.id)`,
  )
}
