import { attributesOf, type HostFacts, LINKED, NOBODY } from '../../../classification/attributes.ts'
import type { Subject } from '../../../classification/matchers.ts'
import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { CONFIG_SERVER_ATTRIBUTE } from '../../../words/protocols.ts'
import { selectConfigServer } from '../node/config-server.ts'

/** Hosts of one environment with equal answers to the questions of matchers. */
export interface AlikeHosts {
  readonly subject: Subject
  readonly environment: number | null
  /** Ids of these hosts. */
  readonly hosts: readonly number[]
}

/** The questions of matchers: the values that they name, by attribute. */
export type Questions = ReadonlyMap<string, ReadonlySet<string>>

/** Questions about values that are no attributes of hosts: names of parameters, and names of facts. */
interface Beyond {
  readonly facts: readonly string[]
  readonly parameters: readonly string[]
}

/** Tells questions about parameters from those about facts: one with the name of some parameter is about parameters. */
export async function resolveQuestionsBeyondHosts(ctx: Context, questions: Questions): Promise<Beyond> {
  const names = [...questions.keys()].filter((attribute) => !OWN.has(attribute))
  if (names.length === 0) return { facts: [], parameters: [] }
  const found = await rows<{ name: string }>(
    ctx.db,
    sql`select distinct name from parameters where name = any (${names}::text[])`,
  )
  const parameters = found.map(({ name }) => name)
  return { facts: names.filter((name) => !parameters.includes(name)), parameters }
}

/**
 * Loads the hosts `t` that the condition leaves in groups with equal answers: only values that questions ask for are read,
 * and only values that matchers distinguish make groups. One statement. Questions about parameters are not answered here.
 */
export async function loadAlikeHosts(
  ctx: Context,
  questions: Questions,
  { facts }: Beyond,
  condition: Sql,
): Promise<AlikeHosts[]> {
  const parts = [
    ...Object.entries(PARTS).filter(([, { asked }]) => asked.some((attribute) => questions.has(attribute))),
    ...facts.map((_, index) => [`fact${index}`, buildFactPart(index)] as const),
  ]
  const names = parts.map(([name]) => sql`, ${sql.ref(`h.${name}`)}`)
  const keys = parts.map(([name, { key }]) => sql`, ${key(questions)} as ${sql.ref(name)}`)
  const texts = parts.map(([name, { text }]) => sql`, ${text(sql.ref(`g.${name}`))} as ${sql.ref(name)}`)
  const joins = [
    parts.some(([, part]) => part.ofInterface) ? PRIMARY : sql``,
    ...facts.map((name, index) => buildFactJoin(index, name, [...(questions.get(name) ?? [])])),
  ]
  const found = await rows<Row>(
    ctx.db,
    sql`select g.hosts, g.environment_id as of_environment${joinPieces(texts)}
      from (
        select json_agg(h.id) as hosts, h.environment_id${joinPieces(names)}
        from (select t.id, t.environment_id${joinPieces(keys)} from hosts t ${joinPieces(joins)} where ${condition}) h
        group by h.environment_id${joinPieces(names)}
      ) g`,
  )
  return found.map(({ hosts, of_environment, ...answers }) => ({
    subject: {
      attributes: attributesOf({ ...NOBODY, ...answers, fqdn: answers.fqdn ?? '' }, CONFIG_SERVER_ATTRIBUTE),
      parameters: NONE,
      facts: new Map(
        facts.flatMap((name, index): [string, string][] => {
          const value = answers[`fact${index}`]
          return typeof value === 'string' ? [[name, value]] : []
        }),
      ),
    },
    environment: of_environment,
    hosts,
  }))
}

const PRIMARY = sql` left join interfaces i on i.host_id = t.id and i."primary"`

/** Joins a fact; values that no matcher names count as none. */
function buildFactJoin(index: number, name: string, named: readonly string[]): Sql {
  const alias = sql.ref(`f${index}`)
  return sql` left join fact_values ${alias} on ${alias}.host_id = t.id and ${alias}.value = any (${named}::text[])
    and ${alias}.fact_name_id = (select n.id from fact_names n where n.name = ${name})`
}

function buildFactPart(index: number): GroupPart {
  return { asked: [], key: () => sql.ref(`f${index}.value`), text: (key) => key }
}

interface Row extends Partial<HostFacts> {
  readonly hosts: readonly number[]
  readonly of_environment: number | null
  /** `fact0` and so on: the answers about facts. */
  readonly [fact: string]: unknown
}

const NONE = new Map<string, never>()

/** The attributes that every host has. */
const OWN: ReadonlySet<string> = new Set(attributesOf(NOBODY, CONFIG_SERVER_ATTRIBUTE).keys())

/** An attribute of hosts: the questions it answers, its SQL for grouping, and its text. */
interface GroupPart {
  readonly asked: readonly string[]
  readonly key: (questions: Questions) => Sql
  readonly text: (key: Sql) => Sql
  /** Whether it belongs to the primary interface of the host. */
  readonly ofInterface?: true
}

const PARTS: Readonly<Record<keyof HostFacts, GroupPart>> = {
  fqdn: {
    asked: ['fqdn', 'name', 'hostname', 'shortname', 'certname'],
    key: (questions) =>
      questions.has('shortname') || questions.has('certname')
        ? sql`t.name`
        : selectAmong(sql`t.name`, ['fqdn', 'name', 'hostname'], questions),
    text: (key) => key,
  },
  // Without a certificate name its value is the host name, so that whole texts have to be told apart.
  certname: { asked: ['certname'], key: () => sql`t.certname`, text: (key) => key },
  hostgroup: buildTitledPart('hostgroup'),
  organization: buildTitledPart('organization'),
  location: buildTitledPart('location'),
  operatingsystem: {
    asked: ['os', 'operatingsystem', 'operatingsystem_name'],
    key: () => sql`t.operatingsystem_id`,
    text: (
      key,
    ) => sql`(select json_build_object('name', x.name, 'major', x.major, 'minor', x.minor, 'description', x.description)
      from operatingsystems x where x.id = ${key})`,
  },
  owner: {
    asked: ['owner', 'owner_name'],
    key: () => sql`case when t.owner_user_id is not null then t.owner_user_id else -t.owner_usergroup_id end`,
    text: (key) => sql`coalesce(
      (select json_build_object('login', x.login, 'firstname', x.firstname, 'lastname', x.lastname) from users x where x.id = ${key}),
      (select json_build_object('login', x.name, 'firstname', null, 'lastname', null) from usergroups x where x.id = -${key}))`,
  },
  domain: { ...buildLinkedPart('domain', 'domains', sql`i.domain_id`), ofInterface: true },
  environment: buildLinkedPart('environment', 'environments'),
  architecture: {
    ...buildLinkedPart('architecture', 'architectures'),
    asked: ['architecture', 'architecture_name', 'arch'],
  },
  model: buildLinkedPart('model', 'models'),
  realm: buildLinkedPart('realm', 'realms'),
  medium: buildLinkedPart('medium', 'media'),
  ptable: buildLinkedPart('ptable', 'ptables'),
  subnet: { ...buildLinkedPart('subnet', 'subnets', sql`i.subnet_id`), ofInterface: true },
  subnet6: { ...buildLinkedPart('subnet6', 'subnets', sql`i.subnet6_id`), ofInterface: true },
  comment: buildPlainPart('comment', sql`t.comment`),
  ip: { ...buildPlainPart('ip', sql`host(i.ip)`), ofInterface: true },
  ip6: { ...buildPlainPart('ip6', sql`host(i.ip6)`), ofInterface: true },
  mac: { ...buildPlainPart('mac', sql`i.mac`), ofInterface: true },
  owner_type: buildPlainPart(
    'owner_type',
    sql`case when t.owner_user_id is not null then 'User' when t.owner_usergroup_id is not null then 'Usergroup' end`,
  ),
  provision_method: buildPlainPart('provision_method', sql`t.provision_method`),
  configmaster: {
    asked: ['configmaster', CONFIG_SERVER_ATTRIBUTE],
    key: (questions) => selectAmong(selectConfigServer('t'), ['configmaster', CONFIG_SERVER_ATTRIBUTE], questions),
    text: (key) => key,
  },
  ids: {
    asked: LINKED.map((name) => `${name}_id`),
    key: (questions) => {
      const asked = LINKED.filter((name) => questions.has(`${name}_id`))
      return sql`jsonb_build_object(${sql.join(asked.flatMap((name) => [sql.lit(name), selectLinkedId(name)]))})`
    },
    text: (key) => key,
    ofInterface: true,
  },
  build: buildFlagPart('build'),
  managed: buildFlagPart('managed'),
  enabled: buildFlagPart('enabled'),
}

/** Builds the part for a text of which only the values that matchers name are distinguished. */
function buildPlainPart(name: string, value: Sql): GroupPart {
  return { asked: [name], key: (questions) => selectAmong(value, [name], questions), text: (key) => key }
}

function selectAmong(value: Sql, attributes: readonly string[], questions: Questions): Sql {
  const named = attributes.flatMap((attribute) => [...(questions.get(attribute) ?? [])])
  return sql`case when ${value} = any (${named}::text[]) then ${value} end`
}

function selectLinkedId(name: (typeof LINKED)[number]): Sql {
  if (name === 'owner') return sql`coalesce(t.owner_user_id, t.owner_usergroup_id)`
  return sql.ref(`${OF_INTERFACE.has(name) ? 'i' : 't'}.${name}_id`)
}

const OF_INTERFACE: ReadonlySet<string> = new Set(['domain', 'subnet', 'subnet6'])

function buildTitledPart(name: string): GroupPart {
  return buildLinkedPart(name, `${name}s`, sql.ref(`t.${name}_id`), 'title')
}

function buildLinkedPart(name: string, table: string, id: Sql = sql.ref(`t.${name}_id`), label = 'name'): GroupPart {
  return {
    asked: [name, `${name}_name`],
    key: () => id,
    text: (key) => sql`(select ${sql.ref(`x.${label}`)} from ${sql.table(table)} x where x.id = ${key})`,
  }
}

function buildFlagPart(name: string): GroupPart {
  return { asked: [name], key: () => sql.ref(`t.${name}`), text: (key) => key }
}

function joinPieces(pieces: readonly Sql[]): Sql {
  return pieces.length === 0 ? sql`` : sql.join(pieces, sql``)
}
