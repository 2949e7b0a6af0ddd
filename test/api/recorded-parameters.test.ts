import { afterAll, beforeAll, expect, test } from 'vitest'
import { cast, isTemplate, TYPES } from '../../src/classification/cast.ts'
import { printJson, readJson } from '../../src/classification/json.ts'
import { identityOf, Unfit, type Value } from '../../src/classification/values.ts'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Answer, requestAnswer } from '../classification/answers.ts'
import {
  fromNotation,
  type Notation,
  type RecordedMatch,
  type RecordedRequest,
  type RecordedState,
  type RecordedUpdate,
  recorded,
} from '../classification/recorded.ts'
import { matcherSave, updateSave } from '../classification/saves.ts'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown } from '../support/given.ts'

// test/classification compares recorded saves with the rules, and names a reason for each difference. Here these saves are
// sent by HTTP, with results as the rules predict.

let api: TestApi
let configclass: Shown
beforeAll(async () => {
  api = await openTestApi()
  configclass = await given(api.admin, 'configclass', { environment_ids: [(await given(api.admin, 'environment')).id] })
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** A host in the world of the recordings. */
const HOST = 'n1.lab.test'

const FLAT = '/api/smart_class_parameters'

test('updates of parameters and overrides end as the rules say', { timeout: 300_000 }, async () => {
  const wrong: unknown[] = []
  await given(api.admin, 'host', { name: HOST })
  for (const record of recorded<RecordedUpdate>('param-update')) {
    const parameter = await stored(record.before)
    const overrides = await storedOverrides(parameter, record)
    const index = record.target === 'parameter' ? null : Number(record.target.split(' ').at(-1))
    const path = index === null ? '' : `/override_values/${overrides[index]}`
    const reply = await send('PUT', `${FLAT}/${parameter}${path}`, bodyOf(record.update))
    const wanted = updateSave(withoutWhatIsThere(record, index)).answer
    const left = await row<{ value: string | null }>(
      api.database.db,
      index === null
        ? sql`select default_value::text as value from smart_class_parameters where id = ${parameter}`
        : sql`select value::text as value from override_values where id = ${overrides[index] ?? 0}`,
    )
    const value = readJson(left?.value ?? 'null')
    if (!isSame(reply, wanted) || (wanted.value !== undefined && identityOf(value) !== identityOf(wanted.value)))
      wrong.push({
        id: record.id,
        update: record.update,
        status: reply.status,
        said: reply.text.slice(0, 300),
        left,
        wanted: wanted.messages ?? wanted.failure,
      })
  }
  expect(wrong).toEqual([])
})

test('new overrides end as the rules say', { timeout: 300_000 }, async () => {
  const records = recorded<RecordedMatch>('match').filter(
    ({ settings, input }) => settings === undefined && isText(input.match),
  )
  await makeWorld(records)
  const wrong: unknown[] = []
  for (const record of records.filter(({ world }, index) => index % 4 === 0 && isWhole(world))) {
    const { type, validator_type, validator_rule } = record.parameter
    const parameter = await importedParameter(api, {
      configclass,
      columns: {
        override: true,
        parameter_type: type,
        validator_type,
        validator_rule,
        override_value_order: record.order.effective,
      },
    })
    for (const match of record.existing_matches)
      await sql`insert into override_values (smart_class_parameter_id, match, value) values (${parameter.id}, ${match}, '"x"')`.execute(
        api.database.db,
      )
    const reply = await send('POST', `${FLAT}/${parameter.id}/override_values`, bodyOf(record.input))
    const wanted = matcherSave(record).answer
    if (!isSame(reply, wanted))
      wrong.push({
        id: record.id,
        input: record.input,
        status: reply.status,
        said: reply.text.slice(0, 300),
        wanted: wanted.messages ?? wanted.failure,
      })
    await sql`delete from smart_class_parameters where id = ${parameter.id}`.execute(api.database.db)
  }
  expect(wrong).toEqual([])
})

/** Tells whether a match is a text; anything else is refused with the usual message about the type. */
function isText(match: Notation | undefined): boolean {
  return match === undefined || match === null || typeof match === 'string'
}

test('values in requests are read as the rules say', { timeout: 300_000 }, async () => {
  const parameters = new Map<string | null, number>()
  const wrong: unknown[] = []
  for (const { id, type, json, ...record } of recorded<RecordedRequest>('json-input')) {
    const columns = { override: true, parameter_type: type }
    const parameter = parameters.get(type) ?? (await importedParameter(api, { configclass, columns })).id
    parameters.set(type, parameter)
    const reply = await send('PUT', `${FLAT}/${parameter}`, `{"default_value":${json}}`)
    const wanted = requestAnswer({ id, type, json, ...record })
    if (isUnstorable(json) && reply.status === 422) continue
    if (isInfinite(json) && reply.status === 400) continue
    const left = await row<{ value: string | null }>(
      api.database.db,
      sql`select default_value::text as value from smart_class_parameters where id = ${parameter}`,
    )
    const same =
      wanted.value === undefined
        ? isSame(reply, { messages: ['Default value is invalid'] })
        : reply.status === 200 && identityOf(readJson(left?.value ?? 'null')) === identityOf(wanted.value)
    if (!same) wrong.push({ id, type, json, status: reply.status, said: reply.text.slice(0, 200), left, wanted })
    await sql`update smart_class_parameters set default_value = null where id = ${parameter}`.execute(api.database.db)
  }
  expect(wrong).toEqual([])
})

/** Tells whether a number overflows; such numbers are refused anywhere in a body, with their key. */
function isInfinite(json: string): boolean {
  return /\de[4-9]\d\d/i.test(json)
}

/** Tells whether a text cannot be stored; such texts are refused as in every resource. */
function isUnstorable(json: string): boolean {
  return /\\u0000|\\ud[89a-f]/i.test(json)
}

async function stored(before: RecordedState): Promise<number> {
  const {
    default_value,
    default_kind: _kind,
    path,
    omit,
    ...columns
  } = before as RecordedState & { default_kind?: string }
  const { id } = await importedParameter(api, {
    configclass,
    default_value: default_value === null ? 'null' : printJson(fromNotation(default_value)),
    columns: { ...columns, override_value_order: path, omit },
  })
  if (default_value === null)
    await sql`update smart_class_parameters set default_value = null where id = ${id}`.execute(api.database.db)
  return id
}

async function storedOverrides(parameter: number, { before, matchers_entered }: RecordedUpdate): Promise<number[]> {
  const values = matchers_entered.map(({ match, value, omit }) => {
    const typed = fromNotation(value)
    const kept = omit || isTemplate(typed) ? typed : castOr(before.parameter_type, typed)
    return { match, value: kept === null ? null : printJson(kept), omit }
  })
  const made = await rows<{ id: number }>(
    api.database.db,
    sql`insert into override_values (smart_class_parameter_id, match, value, omit)
      select ${parameter}::bigint, match, value::jsonb, omit
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as one (match text, value text, omit boolean) returning id`,
  )
  return made.map(({ id }) => id).sort((a, b) => a - b)
}

function castOr(name: string | null, value: Value): Value {
  const type = TYPES.find((one) => one === name) ?? null
  try {
    return cast(type, value)
  } catch (error) {
    if (error instanceof Unfit) return value
    throw error
  }
}

/** Removes an unchanged value, which counts as not sent, because what was read can be sent back (docs/contract.md). */
function withoutWhatIsThere(record: RecordedUpdate, index: number | null): RecordedUpdate {
  const key = index === null ? 'default_value' : 'value'
  const { [key]: sent, ...others } = record.update
  if (sent === undefined) return record
  const entered = index === null ? undefined : record.matchers_entered[index]
  const there = entered
    ? entered.omit
      ? fromNotation(entered.value)
      : castOr(record.before.parameter_type, fromNotation(entered.value))
    : fromNotation(record.before.default_value)
  return identityOf(there) === identityOf(fromNotation(sent)) ? { ...record, update: others } : record
}

function isSame({ status, body }: Reply, { messages, failure }: Answer): boolean {
  const said = body?.error?.message
  if (failure !== undefined) return said === `Validation failed: Validator rule is no regular expression: ${failure}`
  if (messages?.length === 0) return status === 200 || status === 201
  return status === 500 && said === `Validation failed: ${messages?.join(', ')}`
}

/** Formats a body: values in the notation of the recordings, everything else as JSON. */
function bodyOf(sent: Readonly<Record<string, Notation>>): string {
  const entries = Object.entries(sent).map(([key, value]) => `${JSON.stringify(key)}:${printJson(fromNotation(value))}`)
  return `{${entries.join()}}`
}

function send(method: 'PUT' | 'POST', url: string, payload: string): Promise<Reply> {
  return api.admin.send({ method, url, headers: { 'content-type': 'application/json' }, payload })
}

let hosts: ReadonlySet<string>
let titles: ReadonlySet<string>

/** Creates the hosts and host groups of the records, except those that cannot exist here. */
async function makeWorld(records: readonly RecordedMatch[]): Promise<void> {
  hosts = new Set(records.flatMap(({ world }) => world.hosts).filter((name) => /^[a-z0-9.-]+$/.test(name)))
  titles = new Set(records.flatMap(({ world }) => world.hostgroups))
  for (const name of hosts) if (name !== HOST) await given(api.admin, 'host', { name })
  const ids = new Map<string, number>()
  for (const title of [...titles].sort((a, b) => a.length - b.length)) {
    const [name = '', ...above] = title.split('/').reverse()
    const parent_id = ids.get(above.reverse().join('/')) ?? null
    ids.set(title, (await given(api.admin, 'hostgroup', { name, parent_id })).id)
  }
}

/** Tells whether nothing exists here beyond the record. */
function isWhole({ hosts: names, hostgroups }: RecordedMatch['world']): boolean {
  return [...hosts].every((name) => names.includes(name)) && [...titles].every((title) => hostgroups.includes(title))
}
