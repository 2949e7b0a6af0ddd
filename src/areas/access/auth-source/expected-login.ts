import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, selectObject } from '../../../database/sql.ts'
import type { Step } from '../../../directory/diagnosis.ts'
import { usesOwnAccount } from '../../../directory/source.ts'
import { sql } from '../../../sql.ts'
import { type SourceRow, toDirectorySource } from '../directories/sources.ts'
import { seesAccess } from '../explain/asking.ts'
import { isPossibleLogin } from '../identity/login-names.ts'
import { mayEscalate } from '../role/escalation.ts'

const TEXT = (what: string) => z.string().nullable().meta({ description: what })

const NAMED = (what: string) =>
  z.array(
    z
      .object({
        id: z.int().meta({ description: `Id of the ${what}.` }),
        name: z.string().meta({ description: `Name of the ${what}.` }),
      })
      .meta({ description: `A ${what}.` }),
  )

const RIGHTS = z
  .object({
    result: z.enum(['known', 'created', 'refused']).meta({
      description: 'Whether the person logs in as a user that exists, as one that the login creates, or not at all.',
    }),
    reason: TEXT('Why the login would be refused.'),
    admin: z.boolean().meta({ description: 'Whether they would be an administrator.' }),
    usergroups: NAMED('user group').meta({ description: 'The user groups that they would be in, however deep.' }),
    roles: NAMED('role').meta({ description: 'The roles that they would have, directly, by groups or by default.' }),
    permissions: z.array(z.string()).meta({ description: 'What these roles permit, for some or all records.' }),
  })
  .nullable()
  .meta({ description: 'Their rights here; null unless the caller sees all users, groups, roles and filters.' })

/** A person of a directory, and the user that their login would make of them. */
export const expectedLogin = z
  .object({
    login: z.string().meta({ description: 'Login of the person, as the directory spells it.' }),
    dn: z.string().meta({ description: 'Distinguished name of the entry.' }),
    firstname: TEXT('First name in the directory.'),
    lastname: TEXT('Last name in the directory.'),
    mail: TEXT('Email address in the directory.'),
    groups: z.array(z.string()).meta({ description: 'Groups in the directory, nested ones included.' }),
    rights: RIGHTS,
  })
  .nullable()
  .meta({ description: 'The person of the query `login`; null where the directory does not find them.' })

type ExpectedLogin = z.infer<typeof expectedLogin>

/** What the steps of a diagnosis found out about the person. */
const FOUND = z.object({
  login: z.string(),
  dn: z.string(),
  firstname: z.string().nullable(),
  lastname: z.string().nullable(),
  mail: z.string().nullable(),
})

/** Describes who a person would be here after a login, and what they would be allowed to do. Nothing is stored. */
export async function describeExpectedLogin(
  ctx: Context,
  source: SourceRow,
  steps: readonly Step[],
): Promise<ExpectedLogin> {
  const detailsOf = (name: Step['name']) => steps.find((step) => step.name === name)?.details ?? {}
  const { data: person } = FOUND.safeParse(detailsOf('sample'))
  if (!person) return null
  const { data: groups = [] } = z.array(z.string()).safeParse(detailsOf('membership').groups)
  return { ...person, groups, rights: seesAccess(ctx) ? await loadRights(ctx, source, person.login, groups) : null }
}

interface RightsRow {
  readonly known: boolean
  readonly disabled: boolean | null
  readonly own: boolean | null
  readonly named: boolean
  readonly admin: boolean
  readonly usergroups: { readonly id: number; readonly name: string }[]
  readonly roles: { readonly id: number; readonly name: string }[]
  readonly permissions: string[]
}

async function loadRights(ctx: Context, source: SourceRow, login: string, groups: readonly string[]) {
  const found = await row<RightsRow>(ctx.db, selectRights(source, login, groups))
  if (!found) throw new Error('a statement without a table yields a row')
  const { admin, usergroups, roles, permissions } = found
  const reason = findRefusal(ctx, source, login, found)
  if (reason !== null) return { result: 'refused' as const, reason, ...NOTHING }
  const result = found.known ? ('known' as const) : ('created' as const)
  return { result, reason, admin, usergroups, roles, permissions }
}

const NOTHING = { admin: false, usergroups: [], roles: [], permissions: [] }

/** Finds the reason why a login would be refused, as the login itself does; null where it would succeed. */
function findRefusal(ctx: Context, source: SourceRow, login: string, { known, disabled, own, named }: RightsRow) {
  if (known && !own) return 'A user of another source has this login here.'
  if (known) return disabled ? 'The user is disabled.' : null
  if (!source.onthefly_register) return 'There is no such user, and this source creates none at the first login.'
  if (!source.onthefly_trusted && !mayEscalate(ctx))
    return 'Only somebody with the permission escalate_roles can let this source create users.'
  if (!isPossibleLogin(login)) return 'Logins like this one cannot be used here.'
  return named ? 'The login is the name of a user group here.' : null
}

/** Selects the rights after a login: linked groups follow the directory, other groups and roles stay as they are. */
function selectRights(source: SourceRow, login: string, groups: readonly string[]) {
  const follows = source.usergroup_sync && !usesOwnAccount(toDirectorySource(source, null))
  return sql`
    with recursive
    person as (select id, admin, disabled, auth_source_id from users where fold(login) = fold(${login})),
    linked as (
      select usergroup_id as id,
             bool_or(fold(name) in (select fold(known.name) from unnest(${[...groups]}::text[]) as known (name))) as matched
      from external_usergroups where auth_source_id = ${source.id} and ${follows} group by usergroup_id
    ),
    member_of (id) as (
      select id from (
        select usergroup_id as id from usergroup_users where user_id in (select id from person)
        except select id from linked where not matched
        union select id from linked where matched) direct
      union
      select outside.usergroup_id from usergroup_usergroups outside join member_of on member_of.id = outside.member_id
    ),
    held (id) as (
      select role_id from user_roles where user_id in (select id from person)
      union select role_id from usergroup_roles where usergroup_id in (select id from member_of)
      union select id from roles where builtin = 2
    )
    select exists (select from person) as known,
           (select disabled from person) as disabled,
           (select auth_source_id = ${source.id} from person) as own,
           exists (select from usergroups where fold(name) = fold(${login})) as named,
           exists (select from person where admin)
             or exists (select from usergroups where admin and id in (select id from member_of)) as admin,
           ${listNamed('usergroups', 'member_of')} as usergroups,
           ${listNamed('roles', 'held')} as roles,
           array(select distinct permissions.name
                 from filters join filter_permissions on filter_id = filters.id
                 join permissions on permissions.id = permission_id
                 where role_id in (select id from held) order by 1) as permissions`
}

function listNamed(table: string, among: string) {
  return sql`(
    select coalesce(json_agg(${selectObject({ id: sql`id`, name: sql`name` })} order by name, id), '[]')
    from ${sql.table(table)} where id in (select id from ${sql.table(among)}))`
}
