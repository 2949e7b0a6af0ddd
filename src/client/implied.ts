import { isMembers, membersOf as keysOf } from '../lib/values.ts'
import { belowOf, findGroup, optionsOf, type Rest, readRest } from './arguments.ts'
import { idOf } from './call.ts'
import type { Session } from './commands/session.ts'
import { EXIT, Failure, usage } from './failure.ts'
import type { Group, ManifestOption } from './manifest.ts'
import { printAnswer } from './perform.ts'
import { ask, askWell, refusal } from './request.ts'
import { targetOf, withCommonFlags } from './taking.ts'

// Commands that the API expresses as an update, for which other clients have verbs: `role add-…`, `host set-parameter`.

/** Runs an implied command; null where the words are not one, because they name an action of the group or something else. */
export function runImplied(
  session: Session,
  argv: readonly string[],
  words: readonly string[],
): Promise<number> | null {
  const found = findGroup(words)
  if (!found) return null
  const { group, length } = found
  const word = words[length] ?? ''
  if (belowOf(group.words[0] ?? '').includes(word)) return null
  const rest = argv.slice(length + 1)
  if (word === 'set-parameter' || word === 'delete-parameter') return changeParameter(session, group, word, rest)
  if (group.label === 'name' && group.words.includes('global-parameter') && word === 'set')
    return setGlobal(session, rest)
  const [, verb, thing = ''] = /^(add|remove)-(.+)$/.exec(word) ?? []
  const option = verb ? membersOf(group, thing) : undefined
  return verb && option ? changeMembers(session, group, verb, thing, option, rest) : null
}

/** Finds the option that holds the ids of such records: `role_ids` for `role`. */
function membersOf(group: Group, thing: string): ManifestOption | undefined {
  const update = group.actions['update']
  const plural = thing === 'medium' ? 'media' : `${thing.replaceAll('-', '_').replace(/y$/, 'ie')}s`
  const keys = MEMBERS[thing] ?? [`${thing.replaceAll('-', '_')}_ids`, `${plural}_ids`]
  return (
    update && optionsOf(update).find(([, key, place, type]) => place === 'b' && type === 'li' && keys.includes(key))
  )
}

/** Keys whose name differs from that of the records they hold, by the word of the record. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'user-group': ['usergroup_ids'],
  'partition-table': ['ptable_ids'],
  os: ['operatingsystem_ids'],
  'operating-system': ['operatingsystem_ids'],
  'smart-proxy': ['smart_proxy_ids'],
  proxy: ['smart_proxy_ids'],
  'provisioning-template': ['provisioning_template_ids'],
  template: ['provisioning_template_ids'],
}

function pathOf(group: Group): string {
  const path = group.actions['update']?.paths[0] ?? group.actions['info']?.paths[0]
  if (!path) throw usage(`${group.words[0]} cannot be changed`)
  return path.replace(/\/:id$/, '')
}

function readSaid({ values }: Rest, ...flags: readonly string[]): string | undefined {
  return flags.map((flag) => values.get(flag)?.at(-1)).find((value) => value !== undefined)
}

async function changeMembers(
  session: Session,
  group: Group,
  verb: string,
  thing: string,
  [, key]: ManifestOption,
  argv: readonly string[],
): Promise<number> {
  const label = (group.label ?? 'name').replaceAll('_', '-')
  const rest = readRest(
    argv,
    withCommonFlags([
      'id',
      'name',
      label,
      thing,
      `${thing}-id`,
      `${thing}-ids`,
      'organization',
      'organization-id',
      'location',
      'location-id',
      'product',
      'product-id',
    ]),
  )
  session.use(rest.values)
  const words = [...rest.words]
  const record = readSaid(rest, 'id', label, 'name') ?? words.shift()
  const who = readSaid(rest, `${thing}-id`, `${thing}-ids`, thing) ?? words.shift()
  if (record === undefined || who === undefined)
    throw usage(`usage: millwright ${group.words[0]} ${verb}-${thing} NAME --${thing} NAME`)
  const target = targetOf(session)
  const organization = readSaid(rest, 'organization-id', 'organization') ?? target.organization
  const findSought = (one: Group, name: string, flag: string) => idOfOne(session, one, name, flag, organization)
  const path = `${pathOf(group)}/${await findSought(group, record, label)}`
  const { body } = await askWell(target, { method: 'GET', path })
  const plural = key
    .replace(/_ids$/, 's')
    .replace(/ys$/, 'ies')
    .replace(/^mediums$/, 'media')
  const shown = keysOf(body)[plural] ?? keysOf(body)[key]
  const now = [shown ?? []].flat().map((one) => Number(isMembers(one) ? one.id : one))
  const wanted = await Promise.all(who.split(',').map((one) => findSought(findMembersGroup(thing, key), one, thing)))
  const next = verb === 'add' ? [...new Set([...now, ...wanted])] : now.filter((id) => !wanted.includes(id))
  const reply = await askWell(target, {
    method: 'PUT',
    path,
    body: { [group.actions['update']?.wrap ?? 'record']: { [key]: next } },
  })
  await printAnswer(session, reply.body, group.label)
  return EXIT.done
}

/** Finds the group of the records to add: by their word, or by the key that holds them. */
function findMembersGroup(thing: string, key: string): Group {
  const found = findGroup([thing]) ?? findGroup([key.replace(/_ids$/, '').replaceAll('_', '-')])
  if (!found) throw usage(`--${thing}: give its id`)
  return found.group
}

/** Yields the id of the record to add: the given one, or that of the record with the given name. */
async function idOfOne(
  session: Session,
  group: Group,
  name: string,
  flag: string,
  organization: string | undefined,
): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name)
  return Number(
    await idOf(targetOf(session), { base: pathOf(group), label: group.label ?? 'name', name, flag, organization }),
  )
}

/** Sets or deletes a parameter of a record by its name. */
async function changeParameter(session: Session, group: Group, word: string, argv: readonly string[]): Promise<number> {
  const owner = group.words[0] ?? ''
  const flags = group.words.flatMap((each) => [each, `${each}-id`])
  const rest = readRest(
    argv,
    withCommonFlags([
      'name',
      'value',
      'parameter-type',
      'hidden-value',
      'operatingsystem',
      'operatingsystem-id',
      ...flags,
    ]),
  )
  session.use(rest.values)
  const record = readSaid(rest, ...flags, 'operatingsystem', 'operatingsystem-id') ?? rest.words[0]
  const name = readSaid(rest, 'name')
  const value = readSaid(rest, 'value')
  if (record === undefined || name === undefined || (word === 'set-parameter' && value === undefined)) {
    throw usage(
      `usage: millwright ${owner} ${word} --${owner} NAME --name NAME${word === 'set-parameter' ? ' --value VALUE' : ''}`,
    )
  }
  const path = `${pathOf(group)}/${encodeURIComponent(record)}/parameters`
  if (word === 'delete-parameter') {
    const { body } = await askWell(targetOf(session), { method: 'DELETE', path: `${path}/${encodeURIComponent(name)}` })
    await printAnswer(session, body)
    return EXIT.done
  }
  return store(session, path, 'parameter', rest, name, value ?? '')
}

function setGlobal(session: Session, argv: readonly string[]): Promise<number> {
  const rest = readRest(argv, withCommonFlags(['name', 'value', 'parameter-type', 'hidden-value']))
  session.use(rest.values)
  const [name, value] = [readSaid(rest, 'name') ?? rest.words[0], readSaid(rest, 'value')]
  if (name === undefined || value === undefined)
    throw usage('usage: millwright global-parameter set --name NAME --value VALUE')
  return store(session, '/api/common_parameters', 'common_parameter', rest, name, value)
}

async function store(
  session: Session,
  path: string,
  wrap: string,
  rest: Rest,
  name: string,
  value: string,
): Promise<number> {
  const target = targetOf(session)
  const [type, hidden] = [readSaid(rest, 'parameter-type'), readSaid(rest, 'hidden-value')]
  const facts = { value, ...(type && { parameter_type: type }), ...(hidden && { hidden_value: hidden === 'true' }) }
  const existing = await ask(target, {
    method: 'PUT',
    path: `${path}/${encodeURIComponent(name)}`,
    body: { [wrap]: facts },
  })
  const reply =
    existing.status === 404
      ? await ask(target, { method: 'POST', path, body: { [wrap]: { name, ...facts } } })
      : existing
  if (reply.status >= 400)
    throw refusal(
      reply,
      target,
      new Map([
        ['value', '--value'],
        ['name', '--name'],
      ]),
    )
  if (reply.body === undefined) throw new Failure(EXIT.refused, 'the server answered nothing')
  await printAnswer(session, reply.body)
  return EXIT.done
}
