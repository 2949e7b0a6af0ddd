import { isTemplate } from '../../../classification/cast.ts'
import type { Subject } from '../../../classification/matchers.ts'
import { buildResolvedClasses, type NodeDocument, withParameters } from '../../../classification/output.ts'
import { type Resolution, type ResolvedHost, type Rules, resolve } from '../../../classification/resolve.ts'
import { isMap, type Value, type ValueMap } from '../../../classification/values.ts'
import type { Encryption } from '../../../encryption/encryption.ts'
import { TemplateError } from '../../../templates/index.ts'
import { attributesOfHost, buildNodeHost } from './host.ts'
import type { NodeHost } from './inputs.ts'
import { computeBuiltInParameters } from './known.ts'
import type { PreparedNode } from './prepare.ts'
import { maskParameters, maskResolutions, withSecrets } from './secrets.ts'
import { createTemplateRenderer, type TemplateRenderer } from './templates.ts'

/** The classification of a host; with failures, which name the parameters, the document is null. */
export interface Classification {
  readonly document: NodeDocument | null
  readonly failures: readonly string[]
  /** The resolution of each parameter of its classes. */
  readonly resolutions: readonly Resolution[]
  /** Whether a template yielded something that may differ the next time; the document then has no ETag. */
  readonly isFleeting: boolean
}

/** A host for matchers, with the renderer of its templates. */
export interface NodeSubject {
  readonly host: ResolvedHost
  readonly rules: Rules
  readonly templates: TemplateRenderer
  /** Failures of templates in its own parameters. */
  readonly failures: readonly string[]
}

/** Computes the document of one host; errors of other hosts cannot affect it (smart-parameters §4, §5.3, §5.4). */
export function computeClassification(prepared: PreparedNode, decrypt: Encryption['decrypt']): Classification {
  const { inputs, catalog, environment } = prepared
  const data = buildNodeHost(inputs, catalog)
  const subject = buildNodeSubject(prepared, data)
  const resolutions = environment ? resolve(environment.compiled, subject.host, subject.rules) : []
  const names = inputs.classes.flatMap((id) => catalog.classNames.get(id) ?? [])
  const seen = withSecrets(prepared, maskResolutions(prepared, resolutions))
  const { classes, failures: unresolved } = buildResolvedClasses(names, seen)
  const failures = [...(prepared.secrets?.failures ?? []), ...subject.failures, ...unresolved]
  // A secret may change without a change of the reference.
  const isFleeting = () => prepared.secrets !== undefined || subject.templates.isFleeting()
  const { settings } = catalog
  const known = knownOf(prepared, data, decrypt)
  if (typeof known === 'string') failures.push(known)
  if (failures.length > 0 || typeof known === 'string')
    return { document: null, failures, resolutions, isFleeting: isFleeting() }
  const name = data.environment?.name
  const document: NodeDocument = {
    parameters: withParameters(known, maskParameters(prepared, subject.host.parameters as ValueMap)), // a map of values
    classes: environment && settings.Parametrized_Classes_in_ENC ? classes : names,
    environment: settings.enc_environment && typeof name === 'string' ? name : null,
  }
  return { document, failures, resolutions, isFleeting: isFleeting() }
}

/** The built-in parameters of the host, or the failure to compute them, so that one host cannot stop others. */
function knownOf({ catalog, viewer }: PreparedNode, data: NodeHost, decrypt: Encryption['decrypt']): ValueMap | string {
  try {
    return computeBuiltInParameters(data, { settings: catalog.settings, decrypt, viewer })
  } catch (error) {
    return `What is known of the host cannot be said: ${reasonOf(error)}`
  }
}

/** Builds the host that matchers and templates read. */
export function buildNodeSubject(
  prepared: PreparedNode,
  data: NodeHost = buildNodeHost(prepared.inputs, prepared.catalog),
): NodeSubject {
  const { inputs, catalog, facts } = prepared
  const { settings } = catalog
  const values = new Map<string, Value>()
  const open = new Set<string>()
  const read = (name: string): Value | undefined => {
    const stored = prepared.parameters.get(name)
    if (stored === undefined || values.has(name)) return values.get(name)
    if (open.has(name) || open.size === DEEPEST)
      throw new TemplateError(`parameters need each other: ${[...open, name].join(' > ')}`)
    open.add(name)
    try {
      const secret = prepared.secrets?.parameters.get(name) // never rendered: a secret may contain any characters
      values.set(name, secret ?? (render ? renderValue(stored, render) : stored))
    } finally {
      open.delete(name)
    }
    return values.get(name)
  }
  const templates = createTemplateRenderer(prepared, data, read)
  const render = settings.interpolate_erb_in_parameters ? templates.render : null
  const failures: string[] = []
  const parameters = new Map<string, Value>()
  for (const name of prepared.parameters.keys()) {
    try {
      parameters.set(name, read(name) ?? null)
    } catch (error) {
      failures.push(`Parameter '${name}' of the host cannot be rendered: ${reasonOf(error)}`)
    }
  }
  const subject: Subject = { attributes: attributesOfHost(data), parameters, facts }
  return {
    host: { ...subject, classes: inputs.classes },
    rules: { inheritance: settings.matchers_inheritance, render },
    templates,
    failures,
  }
}

/** The longest chain of parameters that need each other. */
const DEEPEST = 20

// What a template yields is not cast to a type: it stays text.
function renderValue(value: Value, render: (text: string) => string): Value {
  if (typeof value === 'string') return isTemplate(value) ? render(value) : value
  if (value === null || typeof value !== 'object') return value
  if (isMap(value)) return new Map([...value].map(([key, item]) => [key, renderValue(item, render)]))
  return value.map((item) => renderValue(item, render))
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
