import { cast, isTemplate, type Type } from '../../src/classification/cast.ts'
import { findType } from '../../src/classification/check.ts'
import { printJson, readJson } from '../../src/classification/json.ts'
import { attributeTextOf, isNameable, listCandidates, parseOrder } from '../../src/classification/matchers.ts'
import { printYaml } from '../../src/classification/print-yaml.ts'
import { compile, type Resolution, resolve } from '../../src/classification/resolve.ts'
import { identityOf, Unfit, type Value } from '../../src/classification/values.ts'
import { differences, type ValueRule } from './differ.ts'
import {
  fromNotation,
  type Outcome,
  type RecordedCast,
  type RecordedPresentation,
  type RecordedRequest,
  type RecordedResolution,
  renderings,
} from './recorded.ts'
import { hostOf, parameterOf, rulesOf } from './recorded-host.ts'

/** What we make of a recorded case: a value, nothing, a refusal with its words, messages. */
export interface Answer {
  readonly value?: Value
  readonly refused?: string
  readonly absent?: string
  readonly failure?: string
  readonly messages?: readonly string[]
}

/** A case that came out differently: in what, place by place, where both have a value. */
export interface Difference<Record = unknown> {
  readonly record: Record
  readonly answer: Answer
  readonly places: readonly (ValueRule | null)[]
}

/** What we answer to a text that is cast. */
export function castAnswer({ type, input }: RecordedCast): Answer {
  const known = findType(type)
  return known === undefined ? { refused: 'no type' } : attempt(() => cast(known, fromNotation(input)))
}

/** What we answer to a value in a request, which is JSON. */
export function requestAnswer({ type, json }: RecordedRequest): Answer {
  return attempt(() => {
    const value = readJson(json)
    return isTemplate(value) ? value : cast(type, value)
  })
}

/** What comes back of a value that is printed by its type and cast again. */
export function presentationAnswer({ type: name, stored }: RecordedPresentation): Answer {
  const type = findType(name) ?? null
  const value = fromNotation(stored)
  const presented = printed(type, value)
  return presented === value ? { value } : attempt(() => cast(type, presented))
}

/** Lists and json are printed as JSON, maps and yaml as YAML without the `---` line (smart-parameters §3.3). */
function printed(type: Type | null, value: Value): Value {
  if (value === null || isTemplate(value)) return value
  if (type === 'array' || type === 'json') return printJson(value)
  if (type === 'hash' || type === 'yaml') return printYaml(value).replace(/^---\n/, '')
  return value
}

/** Whether the recorded presentation means the recorded value to us too. */
export function readsPresentation({ type: name, stored, text, unchanged, reads_back }: RecordedPresentation): boolean {
  const type = findType(name) ?? null
  const answer = attempt(() => cast(type, text ?? fromNotation(stored)))
  const same = answer.value !== undefined && identityOf(answer.value) === identityOf(fromNotation(stored))
  return unchanged === true || reads_back === false || same
}

const rendered = renderings()

/** What we resolve for the recorded host. */
export function resolutionOf(record: RecordedResolution): Resolution {
  const texts = rendered.get(record.id)
  const [resolution] = resolve(compile([parameterOf(record)]), hostOf(record, texts), rulesOf(record, texts))
  if (!resolution) throw new Error(`${record.id} is not resolved`)
  return resolution
}

/** What comes of the recorded host and parameter. */
export function resolutionAnswer(record: RecordedResolution): Answer {
  const { outcome } = resolutionOf(record)
  if (outcome.kind === 'value') return { value: outcome.value }
  return outcome.kind === 'absent' ? { absent: outcome.reason } : { failure: outcome.message }
}

/**
 * The origin of a value as value previews name it: the attributes of a matcher, and the host's values of these attributes
 * (smart-parameters §4.11).
 */
interface Origin {
  readonly element: string
  readonly name: string
}

/**
 * Yields the origins of a value in the order of merging: for lists from the best matcher to the last, for maps from the last
 * to the best. Empty when the default is used.
 */
export function origins({ parameter, source }: Resolution): Origin[] {
  const parts = source.hits.filter(({ matcher }) => !source.merged || (!matcher.omit && matcher.value !== null))
  const named = parts.map(({ candidate: { attributes, values } }) => ({
    element: attributes.join(),
    name: values.join(),
  }))
  if (parameter.type === 'hash') named.reverse()
  if (!source.merged || !source.usesDefault || !parameter.mergeDefault) return named
  return [{ element: 'Default value', name: 'Default value' }, ...named]
}

/** The match texts of the recorded host that a stored match can name, and the texts of the attributes of the order. */
export function textsOf(record: RecordedResolution): { tried: string[]; attributes: Record<string, string> } {
  const host = hostOf(record, rendered.get(record.id))
  const tried = listCandidates(parseOrder(parameterOf(record).order), host, rulesOf(record, undefined).inheritance)
  const names = Object.keys(record.attribute_texts)
  return {
    tried: record.matchers.length === 0 ? [] : tried.map(({ match }) => match),
    attributes: Object.fromEntries(names.map((name) => [name, attributeTextOf(host, name)])),
  }
}

/** The recorded match texts that a stored match can name. */
export function nameable(record: RecordedResolution): string[] {
  const parts = (text: string) => text.split(',').map((part) => part.slice(part.indexOf('=') + 1))
  return record.candidates.filter((text) => parts(text).every(isNameable))
}

/** Null when the answer is the outcome, else the places in which it is not. */
export function differs(outcome: Outcome, answer: Answer): (ValueRule | null)[] | null {
  if (outcome.invalid || outcome.error) return answer.refused || answer.failure ? null : [null]
  if (outcome.absent) return answer.absent ? null : [null]
  if (answer.value === undefined || outcome.value === undefined) return [null]
  const places = differences(outcome.value, answer.value)
  return places.length === 0 ? null : places
}

function attempt(action: () => Value): Answer {
  try {
    return { value: action() }
  } catch (error) {
    if (error instanceof Unfit) return { refused: error.message }
    throw error
  }
}
