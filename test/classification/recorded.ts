import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { HostFacts } from '../../src/classification/attributes.ts'
import type { Type } from '../../src/classification/cast.ts'
import { textOf, type Value } from '../../src/classification/values.ts'

/**
 * A value as the recordings write it: JSON, where `{"integer": "…"}` is one beyond 2^53, `{"real": "2.0"}` a real and
 * `{"map": [[key, value], …]}` a map; anything else in braces is of a kind that we do not have (dates, symbols, …).
 */
export type Notation = null | boolean | number | string | readonly Notation[] | { readonly [kind: string]: unknown }

/** What came of it: a value, nothing, or an error of a kind. */
export interface Outcome {
  readonly value?: Notation
  readonly kind?: string
  readonly absent?: true
  readonly error?: { readonly kind: string; readonly message?: string }
  /** In requests: the messages. */
  readonly invalid?: readonly string[]
}

export interface RecordedCast {
  readonly id: string
  readonly type: string | null
  readonly input: Notation
  readonly input_kind: string
  readonly tags: readonly string[]
  readonly outcome: Outcome
  readonly outcome_later?: Outcome
  readonly outcome_old_yaml?: Outcome
}

export interface RecordedPresentation {
  readonly id: string
  readonly type: string | null
  readonly stored: Notation
  readonly stored_kind: string
  readonly text?: string
  readonly unchanged?: true
  readonly reads_back?: boolean
}

export interface RecordedRequest {
  readonly id: string
  readonly type: Type | null
  readonly json: string
  readonly text: string
  readonly outcome: Outcome
}

export interface RecordedMatcher {
  readonly match: string
  readonly value: Notation
  readonly omit: boolean
}

export interface RecordedParameter {
  readonly type: Type | null
  readonly default: Notation
  readonly omit: boolean | null
  readonly merge_overrides: boolean
  readonly merge_default: boolean
  readonly avoid_duplicates: boolean
  readonly override_value_order: string
  readonly validator_type: 'list' | 'regexp' | '' | null
  readonly validator_rule: string | null
}

export interface RecordedHost extends Omit<HostFacts, 'operatingsystem' | 'subnet' | 'subnet6' | 'medium' | 'ptable'> {
  readonly os: {
    readonly name: string
    readonly major: string
    readonly minor: string | null
    readonly description?: string
  } | null
  readonly subnet: { readonly name: string } | null
  readonly parameters: { readonly [name: string]: Notation }
  readonly facts: { readonly [name: string]: string }
}

export interface RecordedResolution {
  readonly id: string
  readonly tags: readonly string[]
  readonly host: RecordedHost
  readonly parameter: RecordedParameter
  readonly matchers: readonly RecordedMatcher[]
  readonly settings: { readonly matchers_inheritance?: boolean; readonly interpolate_erb_in_parameters?: boolean }
  readonly attribute_texts: { readonly [name: string]: string }
  readonly candidates: readonly string[]
  readonly outcome: Outcome
  readonly outcome_later?: Outcome
  /** What was chosen from the matchers, if anything; in merging each part of it. */
  readonly winner?: RecordedWinner
  readonly winner_later?: RecordedWinner
  readonly order_dependent?: true
  readonly inconsistent_store?: true
  readonly neighbours?: readonly unknown[]
}

export interface RecordedMatch {
  readonly id: string
  readonly tags: readonly string[]
  readonly world: { readonly hosts: readonly string[]; readonly hostgroups: readonly string[] }
  readonly parameter: Pick<RecordedParameter, 'type' | 'validator_type' | 'validator_rule'>
  readonly existing_matches: readonly string[]
  readonly input: { readonly match?: Notation; readonly value?: Notation; readonly omit?: boolean }
  readonly order: { readonly stored: string | null; readonly effective: string; readonly lines: readonly string[][] }
  readonly settings?: { readonly interpolate_erb_in_parameters?: boolean }
  readonly outcome: RecordedMessages & { readonly normalized?: string; readonly stored?: Outcome }
  readonly outcome_later?: RecordedMessages & { readonly normalized?: string; readonly stored?: Outcome }
}

export interface RecordedWinner {
  readonly value: Notation
  readonly element: string | readonly string[]
  readonly element_name: string | readonly string[]
}

/** The messages of a save, empty when it was saved; without them it failed inside. */
export interface RecordedMessages {
  readonly messages?: readonly string[]
  readonly exception?: { readonly kind: string }
}

export interface RecordedState {
  readonly default_value: Notation
  readonly parameter_type: string | null
  readonly override: boolean
  readonly description: string | null
  readonly hidden_value: boolean
  readonly omit: boolean | null
  readonly required: boolean
  readonly merge_overrides: boolean
  readonly merge_default: boolean
  readonly avoid_duplicates: boolean
  readonly path: string | null
  readonly validator_type: string | null
  readonly validator_rule: string | null
}

export interface RecordedUpdate {
  readonly id: string
  readonly tags: readonly string[]
  readonly before: RecordedState
  readonly matchers_entered: readonly RecordedMatcher[]
  /** `parameter`, or `override value N` counted from 0. */
  readonly target: string
  readonly update: { readonly [name: string]: Notation }
  readonly outcome: RecordedMessages & {
    readonly after?: RecordedState
    readonly matchers_after?: readonly RecordedMatcher[]
  }
}

/** All records of one kind, as they were recorded. */
export function recorded<Record>(name: string): Record[] {
  return lines(name).map((line): Record => JSON.parse(line))
}

/** What the template engine of the recordings made of each template of a resolution; null where it failed. */
export function renderings(): ReadonlyMap<string, ReadonlyMap<string, string | null>> {
  const found = recorded<{ id: string; rendered: [string, string | null][] }>('renderings')
  return new Map(found.map(({ id, rendered }) => [id, new Map(rendered)]))
}

/** A noted value as one of ours. Keys become text, and what is of another kind the text of its notation. */
export function fromNotation(noted: Notation): Value {
  if (typeof noted === 'number') return Number.isInteger(noted) ? BigInt(noted) : noted
  if (noted === null || typeof noted !== 'object') return noted
  if (Array.isArray(noted)) return noted.map(fromNotation)
  const [[kind, content] = ['', null]] = Object.entries(noted)
  if (kind === 'integer') return BigInt(String(content))
  if (kind === 'real') return Number(content)
  if (kind !== 'map') return JSON.stringify(noted)
  return new Map(entriesOf(noted).map(([key, item]) => [textOf(fromNotation(key)), fromNotation(item)]))
}

/** The entries of a noted map. */
export function entriesOf(noted: Notation): readonly [Notation, Notation][] {
  return (noted as { map: [Notation, Notation][] }).map // asked for maps only
}

function lines(name: string): string[] {
  const file = new URL(`recorded/${name}.jsonl.gz`, import.meta.url)
  return gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
}
