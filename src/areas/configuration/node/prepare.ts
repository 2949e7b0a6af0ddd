import { isTemplate } from '../../../classification/cast.ts'
import { readJson } from '../../../classification/json.ts'
import { listCandidates } from '../../../classification/matchers.ts'
import type { Value } from '../../../classification/values.ts'
import type { Settings } from '../../../settings/settings.ts'
import { listReadableSettings } from '../../provisioning/index.ts'
import {
  type Catalog,
  type ClassCatalog,
  collectTemplateNeeds,
  type EnvironmentCatalog,
  mergeTemplateNeeds,
  type TemplateNeeds,
} from './catalog.ts'
import { computeDigest } from './digest.ts'
import { attributesOfHost, buildNodeHost } from './host.ts'
import type { NodeInputs, NodeParameter } from './inputs.ts'

/** The data that the reader of a classification may see. */
export interface Viewer {
  /** Ids of visible parameters of hosts, groups, …; null: all. Global ones are always visible. */
  readonly parameters: ReadonlySet<number> | null
  /** Whether passwords of service processors and the hash of the root password are visible. */
  readonly passwords: boolean
  /** Ids of parameters of hosts, groups, … with visible hidden values; null: all. */
  readonly hidden: ReadonlySet<number> | null
  /** Ids of smart class parameters with visible hidden values; null: all. */
  readonly hiddenOfClasses: ReadonlySet<number> | null
  /** Ids of hosts whose facts templates may read; null: all. Matchers read all facts. */
  readonly facts: ReadonlySet<number> | null
  /** Leaves out what is invisible instead of masking it: an engine would take a mask for a value. */
  readonly leavesOut?: true
}

/** The viewer for machines that act for the host, and for the service itself. */
export const EVERYTHING: Viewer = {
  parameters: null,
  passwords: true,
  hidden: null,
  hiddenOfClasses: null,
  facts: null,
}

/** The viewer for unknown machines. */
export const WITHOUT_SECRETS: Viewer = {
  parameters: null,
  passwords: false,
  hidden: new Set(),
  hiddenOfClasses: new Set(),
  facts: null,
  leavesOut: true,
}

/** A host prepared for classification, with the digest of everything that its document depends on. */
export interface PreparedNode {
  readonly inputs: NodeInputs
  readonly catalog: Catalog
  readonly viewer: Viewer
  /** Null without an environment. */
  readonly environment: EnvironmentCatalog | null
  /** Its own parameters as stored, by name. */
  readonly parameters: ReadonlyMap<string, Value>
  /** Names of parameters whose values the viewer may not see. */
  readonly masked: ReadonlySet<string>
  readonly facts: ReadonlyMap<string, string>
  /** Equal digests mean equal documents, within one version of the program. */
  readonly digest: string
  /** The secrets that its values refer to, once they are read. */
  readonly secrets?: NodeSecrets
}

/** The secrets that hidden values of a host refer to. */
export interface NodeSecrets {
  /** By the names of its own parameters. */
  readonly parameters: ReadonlyMap<string, string>
  /** By the ids of class parameters. */
  readonly classes: ReadonlyMap<number, string>
  /** A sentence for each that cannot be read. */
  readonly failures: readonly string[]
}

/** Collects what the document of a host depends on. Only readers who have another digest need the document itself. */
export function prepareNode(inputs: NodeInputs, catalog: Catalog, viewer: Viewer): PreparedNode {
  const environment = inputs.environment_id === null ? null : catalog.environment(inputs.environment_id)
  const stored = readParameters(inputs, viewer)
  const parameters = new Map(
    stored.map(({ name, value }) => [name, value === null ? null : readJson(value, Number.POSITIVE_INFINITY)]),
  )
  const masked = new Set(
    stored.flatMap(({ id, name, hidden }) =>
      hidden && viewer.hidden !== null && !viewer.hidden.has(id) ? [name] : [],
    ),
  )
  const facts = factsOf(inputs)
  const needs = catalog.settings.interpolate_erb_in_parameters ? needsOf(inputs, environment, parameters) : NOTHING
  const digest = computeDigest([
    catalog.program,
    formatSettings(catalog.settings),
    `${viewer.passwords} ${viewer.leavesOut === true} ${seesFacts(inputs, viewer)} ${[...masked].join('\n')}`,
    viewer.hiddenOfClasses === null ? 'all' : [...viewer.hiddenOfClasses].join(),
    String(inputs.environment_id),
    [...catalog.references].join(),
    ...describeClasses({ inputs, catalog, environment, parameters, facts }),
    inputs.host,
    JSON.stringify(stored),
    ...(needs.facts ? [...facts.keys()] : catalog.factNames).map((name) => `${name} ${facts.get(name)}`),
    needs.lastReport ? `${inputs.last_report}` : '',
  ])
  return { inputs, catalog, viewer, environment, parameters, masked, facts, digest }
}

/** Whether the viewer may see the facts of the host. */
export function seesFacts({ id }: NodeInputs, { facts }: Viewer): boolean {
  return facts?.has(id) ?? true
}

/** Whether a template in the host's own parameters reads facts. */
export function isReadingFacts({ parameters }: NodeInputs): boolean {
  return parameters.includes('<%') && collectTemplateNeeds(parameters).facts
}

/** The settings that documents depend on; the default order of matchers is in the catalogue. */
const SETTINGS = [
  'matchers_inheritance',
  'enc_environment',
  'Parametrized_Classes_in_ENC',
  'interpolate_erb_in_parameters',
  'bmc_credentials_accessible',
  'root_pass',
] as const satisfies readonly (keyof Settings)[]

const NOTHING: TemplateNeeds = { any: false, facts: false, lastReport: false }

function formatSettings(settings: Settings): string {
  return JSON.stringify([SETTINGS.map((name) => settings[name]), [...listReadableSettings(settings)]])
}

function readParameters({ parameters }: NodeInputs, { parameters: seen }: Viewer): readonly NodeParameter[] {
  const all: readonly NodeParameter[] = JSON.parse(parameters) // the statement selects this JSON
  return seen === null ? all : all.filter(({ id, global }) => global || seen.has(id))
}

function factsOf({ facts }: NodeInputs): ReadonlyMap<string, string> {
  const values: Readonly<Record<string, string | null>> = JSON.parse(facts) // the statement selects this JSON
  return new Map(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])))
}

function needsOf(
  { classes }: NodeInputs,
  environment: EnvironmentCatalog | null,
  parameters: ReadonlyMap<string, Value>,
): TemplateNeeds {
  const ofClasses = classes.map((id) => environment?.classes.get(id)?.templates ?? NOTHING)
  return mergeTemplateNeeds([...ofClasses, ...[...parameters.values()].map(collectTemplateNeeds)])
}

/** A host, and where its classes are looked up. */
interface Classified {
  readonly inputs: NodeInputs
  readonly catalog: Catalog
  readonly environment: EnvironmentCatalog | null
  readonly parameters: ReadonlyMap<string, Value>
  readonly facts: ReadonlyMap<string, string>
}

/**
 * Describes what the document of a host depends on in its classes: parameters, and matchers that can match this host. A
 * new matcher for another host changes nothing here, so that this document stays valid.
 */
function describeClasses(classified: Classified): readonly string[] {
  const { inputs, catalog, environment } = classified
  const texts = environment === null || inputs.classes.length === 0 ? [] : listMatchTexts(classified, environment)
  return inputs.classes.map((id) => {
    const known = environment?.classes.get(id)
    return `${catalog.classNames.get(id)} ${known?.digest} ${known ? describeMatchers(known, texts) : ''}`
  })
}

function describeMatchers({ matchers }: ClassCatalog, texts: readonly string[] | null): string {
  const meeting = texts ?? [...matchers.keys()]
  return meeting.flatMap((text) => matchers.get(text) ?? []).join()
}

/** Lists the match texts of the host; null if they depend on a template in one of its parameters. */
function listMatchTexts(
  { inputs, catalog, parameters, facts }: Classified,
  { compiled }: EnvironmentCatalog,
): readonly string[] | null {
  const { settings, factNames } = catalog
  if (settings.interpolate_erb_in_parameters && factNames.some((name) => hasTemplate(parameters.get(name)))) return null
  const subject = { attributes: attributesOfHost(buildNodeHost(inputs, catalog)), parameters, facts }
  const texts = [...compiled.matches].flatMap(([order, known]) =>
    listCandidates(order, subject, settings.matchers_inheritance).flatMap(({ match }) =>
      known.has(match) ? match : [],
    ),
  )
  return [...new Set(texts)]
}

/** Whether rendering may change a value. */
function hasTemplate(value: Value | undefined): boolean {
  if (typeof value === 'string') return isTemplate(value)
  return typeof value === 'object' && value !== null && [...value.values()].some(hasTemplate)
}
