import { isTemplate } from '../../../classification/cast.ts'
import { listCandidates } from '../../../classification/matchers.ts'
import type { Value } from '../../../classification/values.ts'
import type { Catalog, ClassCatalog, EnvironmentCatalog } from './catalog.ts'
import { attributesOfHost, buildNodeHost } from './host.ts'
import type { NodeInputs } from './inputs.ts'

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
export function describeClasses(classified: Classified): readonly string[] {
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
