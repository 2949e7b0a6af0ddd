import { compareShapes } from '../replay/compare.ts'
import { isList, isObject, type Json, type JsonObject } from '../replay/exchanges.ts'
import { type Played, UNKNOWN } from './play.ts'

/** Lists how an answer differs from the recorded one, in status, keys, types and messages. Additional keys do not count. */
export function reasonsOf({ line, answer, ids }: Played): string[] {
  if (answer.status !== line.status) return [`status ${line.status} is ${answer.status}${saidIn(answer.body)}`]
  if (line.answer === undefined) return []
  const ours = answer.body ?? answer.text
  if (line.status >= 400) return compareMessages(line.answer, ours, ids)
  const shapes = compareShapes(line.answer, ours).map(({ path, text }) => `${path || 'the answer'}: ${text}`)
  return [...shapes, ...compareTimes(line.answer, ours)]
}

/** Lists where values of a record differ, besides ids and times. They do not count, because the records are not the same. */
export function valuesOf({ line, answer }: Played): string[] {
  if (line.status >= 300 || answer.status >= 300 || !isObject(line.answer) || !isObject(answer.body)) return []
  const ours = answer.body
  const { results, total, subtotal, ...rest } = line.answer
  return Object.entries(rest)
    .filter(([key, value]) => key in ours && !isAnId(key) && !isTime(value))
    .filter(([key, value]) => JSON.stringify(bared(value)) !== JSON.stringify(bared(ours[key] ?? null)))
    .map(([key, value]) => `value of ${key}: ${cut(JSON.stringify(value))} is ${cut(JSON.stringify(ours[key]))}`)
}

/** Reduces nested records to their labels. */
function bared(value: Json): Json {
  if (isList(value)) return value.map(bared)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !isAnId(key) && !isTime(each))
      .map(([key, each]): [string, Json] => [key, bared(each)])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

function isAnId(key: string): boolean {
  return key === 'id' || key.endsWith('_id') || key === 'ancestry'
}

/** Compares errors word by word, with ids mapped to the recorded ones. */
function compareMessages(
  recorded: Json,
  ours: Json | undefined,
  ids: ReadonlyMap<number, number>,
  path = '',
): string[] {
  if (isObject(recorded)) {
    if (!isObject(ours)) return [`${path || 'the answer'}: object is ${shown(ours)}`]
    // Sentences are derived from the errors beside them and not counted twice.
    const erring = isObject(recorded.errors) && compareMessages(recorded.errors, ours.errors, ids).length > 0
    return Object.entries(recorded).flatMap(([key, value]) => {
      const at = path === '' ? key : `${path}.${key}`
      if (erring && key === 'full_messages' && key in ours) return []
      if (!(key in ours)) return [`${at}: missing, ours says ${shown(path === '' ? ours : { ...ours })}`]
      // Only the presence of an id counts, not its value.
      if (key === 'id')
        return (value === null) === (ours[key] === null) ? [] : [`${at}: ${shown(value)} is ${shown(ours[key])}`]
      return compareMessages(value, ours[key], ids, at)
    })
  }
  const [expected, found] = [sorted(mapped(recorded, ids)), sorted(ours ?? null)]
  return JSON.stringify(expected) === JSON.stringify(found) ? [] : [`${path}: ${shown(expected)} is ${shown(found)}`]
}

/** Maps ids in a message; what could not be created keeps the recorded id. */
function mapped(value: Json, ids: ReadonlyMap<number, number>): Json {
  if (isList(value)) return value.map((each) => mapped(each, ids))
  if (typeof value !== 'string') return value
  return value
    .replaceAll(/\{x[123]\}/g, String(UNKNOWN))
    .replace(/(?<=\bid '|'id'=\[?)\d+/g, (digits) => String(ids.get(Number(digits)) ?? digits))
}

function sorted(value: Json): Json {
  return isList(value) ? [...value].sort((one, other) => (String(one) < String(other) ? -1 : 1)) : value
}

/** Compares the formats of times. */
function compareTimes(recorded: JsonObject | Json, ours: Json | undefined): string[] {
  if (!isObject(recorded) || !isObject(ours)) return []
  return Object.entries(recorded)
    .filter(([key, value]) => isTime(value) && typeof ours[key] === 'string' && formOf(value) !== formOf(ours[key]))
    .map(([key, value]) => `${key}: ${shown(value)} is ${shown(ours[key])}`)
}

function isTime(value: Json | undefined): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/.test(value)
}

function formOf(time: string | Json): string {
  return String(time).replace(/\d/g, '0')
}

function saidIn(body: Json | undefined): string {
  return body === undefined ? '' : `, ${cut(JSON.stringify(body))}`
}

function shown(value: Json | undefined): string {
  return value === undefined ? 'nothing' : cut(JSON.stringify(value))
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)} …` : text
}
