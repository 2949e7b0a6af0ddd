import { LRUCache } from 'lru-cache'
import type { Value } from '../../../classification/values.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import {
  compile,
  type HostValue,
  type Options,
  render,
  type Template,
  TemplateError,
} from '../../../templates/index.ts'
import { buildHostFunctions, createHostReader, type TemplateParameters, toGiven } from '../../provisioning/index.ts'
import type { NodeHost } from './inputs.ts'
import { type PreparedNode, seesFacts } from './prepare.ts'
import { maskParameters } from './secrets.ts'

/** Renders the templates in the values of one host. */
export interface TemplateRenderer {
  /** {@throws TemplateError} */
  readonly render: (text: string) => string
  /** Whether something was rendered that may differ the next time. */
  readonly isFleeting: () => boolean
}

/** The steps for all templates of a host: values are short, and other requests wait meanwhile. */
const BUDGET = { steps: 20_000 }
const MOST_MS = 500

/**
 * Creates the renderer for a host, with what templates of hosts can read (smart-parameters §4.10) except snippets and
 * partition tables; `read` renders a parameter of the host. Nothing is prepared before the first template, because most
 * hosts have none.
 */
export function createTemplateRenderer(
  prepared: PreparedNode,
  host: NodeHost,
  read: (name: string) => Value | undefined,
): TemplateRenderer {
  let world: Options | null = null
  let isFleeting = false
  let spent = 0
  const noteFleeting = () => {
    isFleeting = true
  }
  return {
    render: (text) => {
      if (spent > MOST_MS) throw new TemplateError(`the templates of the host take longer than ${MOST_MS} ms`)
      const start = performance.now()
      try {
        world ??= worldOf(prepared, host, read, noteFleeting)
        return render(compileTemplate(text), world)
      } finally {
        spent += performance.now() - start
        if (spent > MOST_MS) noteFleeting()
      }
    },
    isFleeting: () => isFleeting,
  }
}

// Parsed templates, because texts of values are shared by many hosts.
const known = new LRUCache<string, Template>({
  max: 5000,
  maxSize: 10_000_000,
  sizeCalculation: (_, text) => text.length,
})

function compileTemplate(text: string): Template {
  const template = known.get(text) ?? compile(text)
  known.set(text, template)
  return template
}

/** Parameters for `host_param`, rendered on access. */
class RenderedParameters extends Map<string, HostValue> {
  readonly #read: (name: string) => Value | undefined

  constructor(stored: ReadonlyMap<string, Value>, read: (name: string) => Value | undefined) {
    super([...stored].map(([name, value]) => [name, toGiven(value)]))
    this.#read = read
  }

  override get(name: string): HostValue {
    const value = this.#read(name)
    return value === undefined ? undefined : toGiven(value)
  }
}

function worldOf(
  prepared: PreparedNode,
  host: NodeHost,
  read: (name: string) => Value | undefined,
  onFleeting: () => void,
): Options {
  const { inputs, catalog, facts, masked, viewer } = prepared
  const readSeen = (name: string) => (masked.has(name) ? (viewer.leavesOut ? undefined : HIDDEN) : read(name))
  const parameters: TemplateParameters = {
    values: new RenderedParameters(maskParameters(prepared, prepared.parameters), readSeen),
  }
  const data = {
    ...host,
    facts: Object.fromEntries(seesFacts(inputs, viewer) ? facts : [...facts.keys()].map((name) => [name, HIDDEN])),
    parameters: [],
    last_report: inputs.last_report,
  }
  const functions = buildHostFunctions(catalog.settings, parameters)
  return {
    budget: BUDGET,
    variables: {
      '@host': createHostReader(data, parameters, {
        secrets: viewer.passwords,
        diskLayout: ({ fail }) => fail('the disk layout is not offered here'),
      }),
    },
    functions: {
      ...functions,
      rand_hex: (call) => {
        onFleeting()
        return functions.rand_hex?.(call) ?? null
      },
      snippet: ({ fail }) => fail('snippets cannot be put into values of parameters'),
    },
  }
}
