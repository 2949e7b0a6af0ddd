import { readJson } from '../../classification/json.ts'
import type { Value } from '../../classification/values.ts'
import type { Settings } from '../../settings.ts'
import { type Catalog, type EnvironmentCatalog, type Templates, templatesIn, together } from './catalog.ts'
import { digestOf } from './digest.ts'
import type { NodeInputs, NodeParameter } from './inputs.ts'

/** Who asks for a classification, as far as that changes it. */
export interface Viewer {
  /** Ids of the parameters of hosts, groups, … that are seen; null: all of them. Global ones are seen by everybody. */
  readonly parameters: ReadonlySet<number> | null
  /** Whether passwords of service processors are seen. */
  readonly passwords: boolean
}

/** Smart proxies, and the service itself. */
export const EVERYTHING: Viewer = { parameters: null, passwords: true }

/** A host that is ready to be classified, and the digest of everything that its document depends on. */
export interface Prepared {
  readonly inputs: NodeInputs
  readonly catalog: Catalog
  readonly viewer: Viewer
  /** Null without an environment. */
  readonly environment: EnvironmentCatalog | null
  /** Its own parameters as they are stored, by name. */
  readonly parameters: ReadonlyMap<string, Value>
  readonly facts: ReadonlyMap<string, string>
  /** Equal digests have equal documents, of one version of the program. */
  readonly digest: string
}

/** Puts together what a host's document depends on, without working it out: that is for those who have another digest. */
export function prepare(inputs: NodeInputs, catalog: Catalog, viewer: Viewer): Prepared {
  const environment = inputs.environment_id === null ? null : catalog.environment(inputs.environment_id)
  const stored = seenParameters(inputs, viewer)
  const parameters = new Map(
    stored.map(({ name, value }) => [name, value === null ? null : readJson(value, Number.POSITIVE_INFINITY)]),
  )
  const facts = factsOf(inputs)
  const needs = catalog.settings.interpolate_erb_in_parameters ? needsOf(inputs, environment, parameters) : NOTHING
  const digest = digestOf([
    catalog.program,
    settingsText(catalog.settings),
    String(viewer.passwords),
    String(inputs.environment_id),
    ...inputs.classes.map((id) => `${catalog.classNames.get(id)} ${environment?.classes.get(id)?.digest}`),
    inputs.host,
    JSON.stringify(stored),
    ...(needs.facts ? [...facts.keys()] : catalog.factNames).map((name) => `${name} ${facts.get(name)}`),
    needs.lastReport ? `${inputs.last_report}` : '',
  ])
  return { inputs, catalog, viewer, environment, parameters, facts, digest }
}

/** Whether a template in the parameters of a host reads facts. */
export function readsFacts({ parameters }: NodeInputs): boolean {
  return parameters.includes('<%') && templatesIn(parameters).facts
}

/** Settings that documents depend on; the order of parameters without their own is in the catalogue. */
const SETTINGS = [
  'matchers_inheritance',
  'enc_environment',
  'Parametrized_Classes_in_ENC',
  'interpolate_erb_in_parameters',
  'bmc_credentials_accessible',
  'root_pass',
  'server_url',
  'entries_per_page',
  'proxy_request_timeout',
] as const satisfies readonly (keyof Settings)[]

const NOTHING: Templates = { any: false, facts: false, lastReport: false }

function settingsText(settings: Settings): string {
  return JSON.stringify(SETTINGS.map((name) => settings[name]))
}

function seenParameters({ parameters }: NodeInputs, { parameters: seen }: Viewer): readonly NodeParameter[] {
  const all: readonly NodeParameter[] = JSON.parse(parameters) // what the statement makes
  return seen === null ? all : all.filter(({ id, global }) => global || seen.has(id))
}

function factsOf({ facts }: NodeInputs): ReadonlyMap<string, string> {
  const values: Readonly<Record<string, string | null>> = JSON.parse(facts) // what the statement makes
  return new Map(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])))
}

function needsOf(
  { classes }: NodeInputs,
  environment: EnvironmentCatalog | null,
  parameters: ReadonlyMap<string, Value>,
): Templates {
  const ofClasses = classes.map((id) => environment?.classes.get(id)?.templates ?? NOTHING)
  return together([...ofClasses, ...[...parameters.values()].map(templatesIn)])
}
