import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { openKept, selectKept } from '../../../encryption/hidden-values.ts'
import { invalid, refuseInvalid } from '../../../errors.ts'
import { findIds, findResource, type Registry } from '../../../kernel/index.ts'
import { readBySchema } from '../../../requests/by-schema.ts'
import { BLANK, NOT_BOOLEAN, NOT_INTEGER, toBoolean, toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { KEYS_PARAMETER } from '../../../words/protocols.ts'
import { parseKeyNames, readKeyNames } from '../keys.ts'
import type { TokenHolder } from '../tokens.ts'

const id = (doc: string) =>
  z.preprocess(toInteger, z.int(NOT_INTEGER).positive(NOT_INTEGER).nullish()).meta({ description: doc })
const flag = (doc: string) => z.preprocess(toBoolean, z.boolean(NOT_BOOLEAN).nullish()).meta({ description: doc })
const line = (doc: string) =>
  z
    .string()
    .max(2000)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line of text')
    .nullish()
    .meta({ description: doc })

/** The options of registration commands (content-api §5.1). */
export const OPTIONS = {
  organization_id: id('Organization of the hosts; needed unless the user has a default one, or only one.'),
  location_id: id('Location of the hosts.'),
  hostgroup_id: id('Host group of the hosts. Activation keys that its parameter names come before the others.'),
  operatingsystem_id: id('Operating system of the hosts.'),
  smart_proxy_id: id('Smart proxy through which hosts reach the service; default: directly.'),
  lifecycle_environment_id: id('Replaces the environment that the keys give; the content view stays.'),
  activation_keys: z
    .preprocess(
      (sent) => (typeof sent === 'string' ? parseKeyNames(sent) : sent),
      z.array(z.string().min(1)).max(100).nullish(),
    )
    .meta({
      description:
        'Names of activation keys; of two that disagree the later one counts. Without any, the command creates the host without content.',
    }),
  activation_key: z
    .string()
    .nullish()
    .meta({ description: 'The same, separated by commas. Older than `activation_keys`.' }),
  force: flag('Whether a registration that the host has elsewhere is ended first.'),
  ignore_subman_errors: flag('Whether the script goes on when the subscription client fails.'),
  insecure: flag('Whether the certificate of the service is not verified.'),
  setup_insights: flag('Whether the parameter host_registration_insights is set.'),
  setup_remote_execution: flag('Whether the parameter host_registration_remote_execution is set.'),
  update_packages: flag('Whether all packages are updated after the registration.'),
  packages: z
    .preprocess(
      (sent) => (typeof sent === 'string' ? sent.split(/[\s,]+/).filter((name) => name !== '') : sent),
      z
        .array(z.string().regex(/^[A-Za-z0-9@_][\w.+:~@-]{0,254}$/, 'must be names of packages'))
        .max(200)
        .nullish(),
    )
    .meta({ description: 'Packages to install after the registration, separated by blanks.' }),
  repo: line('Repository to add before the registration: a URL, or a line for apt.'),
  repo_gpg_key_url: line('URL of the key that its packages are signed with.'),
} as const

const SCHEMA = z.object(OPTIONS)

/** Validated options of a registration command. */
export type Options = Readonly<z.output<typeof SCHEMA>>

/**
 * Reads sent options. {@throws Failure} invalid, naming each key; unknown_reference for records that the caller may not
 * see
 */
export async function readOptions(
  ctx: Context,
  registry: Registry,
  sent: Readonly<Record<string, unknown>>,
): Promise<Options> {
  const options = readBySchema(SCHEMA, sent)
  await findReferred(ctx, registry, options)
  return options
}

/**
 * Reads the options of a request with a token; the token supplies missing ones. {@throws Failure} like `readOptions`;
 * invalid for each option that contradicts the token
 */
export async function readOptionsOfToken(
  ctx: Context,
  registry: Registry,
  sent: Readonly<Record<string, unknown>>,
  { organization, location, hostgroup }: TokenHolder,
): Promise<Options> {
  const options = readBySchema(SCHEMA, sent)
  const limits = Object.entries({ organization_id: organization, location_id: location, hostgroup_id: hostgroup })
  const within = limits.flatMap(([key, id]): [string, number][] => (id === null ? [] : [[key, id]]))
  const said = new Map(Object.entries(options))
  const beyond = within.filter(([key, id]) => (said.get(key) ?? id) !== id)
  refuseInvalid(Object.fromEntries(beyond.map(([key]) => [key, [BEYOND_TOKEN]])))
  const limited = { ...options, ...Object.fromEntries(within) }
  await findReferred(ctx, registry, limited)
  return limited
}

const BEYOND_TOKEN = 'is not what this registration command is for: make another one'

/** Refuses activation keys that a token is not for. {@throws Failure} invalid */
export function refuseOtherKeys(names: readonly string[], { keys }: TokenHolder): void {
  const others = names.filter((name) => !keys.includes(name))
  if (others.length === 0) return
  throw invalid({ activation_keys: [`${BEYOND_TOKEN} for ${others.map((name) => `'${name}'`).join(', ')}`] })
}

async function findReferred(ctx: Context, registry: Registry, options: Options): Promise<void> {
  for (const name of REFERRING) {
    const wanted = options[`${name}_id`]
    if (typeof wanted === 'number') await findIds(ctx, findResource(registry, name), [wanted])
  }
}

const REFERRING = [
  ...(['organization', 'location', 'hostgroup', 'operatingsystem', 'smart_proxy', 'lifecycle_environment'] as const),
]

/**
 * Resolves the names of the keys: those in a parameter of the host group, then the requested ones (content-api §5.1).
 */
export async function resolveKeyNames(
  ctx: Context,
  { hostgroup_id, activation_keys, activation_key }: Options,
): Promise<string[]> {
  const found =
    typeof hostgroup_id === 'number'
      ? await row<{ names: string | null }>(
          ctx.db,
          sql`
            select ${selectKept('parameters', 'p')} as names from hostgroups g join parameters p on p.hostgroup_id = any (g.ancestor_ids || g.id)
            where g.id = ${hostgroup_id} and p.name = ${KEYS_PARAMETER}
            order by coalesce(array_position(g.ancestor_ids, p.hostgroup_id), 2147483647) desc limit 1`,
        )
      : undefined
  const named = readKeyNames(openKept(ctx.encryption, 'parameters', found?.names ?? null))
  return [...new Set([...named, ...(activation_keys ?? parseKeyNames(activation_key ?? ''))])]
}

/**
 * Resolves the organization: the requested one, else that of the request's scope, else the caller's default or only one.
 * {@throws Failure} invalid
 */
export async function resolveOrganization(
  ctx: Context,
  { organization_id }: Options,
): Promise<{ readonly id: number; readonly label: string }> {
  const wanted = organization_id ?? ctx.scope.organization
  const found = await row<{ id: number; label: string }>(
    ctx.db,
    typeof wanted === 'number'
      ? sql`select id, label from organizations where id = ${wanted}`
      : sql`
          select o.id, o.label from (
            select id, label, count(*) over () = 1 as only from organizations
            where ${ctx.user.admin} or id = any (${ctx.user.organizations}::bigint[])
          ) o
          where o.only or o.id = (select default_organization_id from users where id = ${ctx.user.id})`,
  )
  if (!found) throw invalid({ organization_id: [BLANK] })
  return found
}
