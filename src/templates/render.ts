import { fail, locate, TemplateError } from './error.ts'
import { evaluate } from './evaluate.ts'
import { FUNCTIONS } from './functions.ts'
import { type Budget, DEFAULT_BUDGET, Meter } from './meter.ts'
import { requireText } from './methods/table.ts'
import { type Program, parse } from './parser/parse.ts'
import { isTemplate } from './parser/scan.ts'
import { type BuiltIn, Leaving, Rendering, Scope, type World } from './rendering.ts'
import { Hash, Sym, type Value } from './values.ts'

const MAX_LENGTH = 1_000_000
const MAX_SNIPPETS_DEEP = 10
const MAX_SNIPPETS = 200

/** What a template is rendered with, and its limits. */
export interface Options extends World {
  readonly budget?: Partial<Budget>
  /** The value of `template_name` outside of snippets. */
  readonly name?: string
}

/** A parsed template, which can be rendered more than once. */
export type Template = Program

/** Parses a template. {@throws TemplateError} with the line of what is malformed */
export function compile(source: string): Template {
  if (source.length > MAX_LENGTH) throw new TemplateError(`a template may have ${MAX_LENGTH} characters`)
  try {
    return parse(source)
  } catch (error) {
    throw locate(error, 1, [])
  }
}

/** Renders a template with the options only. {@throws TemplateError} with the line, for every error */
export function render(template: string | Template, options: Options = {}): string {
  if (typeof template === 'string' && !isTemplate(template)) return template
  return run(typeof template === 'string' ? compile(template) : template, options, new Map(), null)
}

/**
 * Renders like `render`, and loads templates that are included with `snippet 'name'`. Names in plain texts are loaded
 * before; a name that the template computes is loaded when it is needed, and the rendering starts again on the remaining
 * budget. `load` yields null for an unknown name, which is an error only when it is used.
 */
export async function renderLoading(
  source: string,
  options: Options,
  load: (name: string) => Promise<string | null>,
): Promise<string> {
  if (!isTemplate(source)) return source
  const template = compile(source)
  const snippets: Snippets = new Map()
  const meter = meterOf(options)
  await loadAll(template.snippets, snippets, load)
  for (;;) {
    try {
      return run(template, options, snippets, meter)
    } catch (error) {
      if (!(error instanceof Missing)) throw error
      await loadAll([error.snippet], snippets, load)
    }
  }
}

/** Snippets by name; null for an unknown one, an error for one that cannot be parsed. */
export type Snippets = Map<string, Template | TemplateError | null>

/** Thrown where a snippet is needed that is not loaded yet. */
export class Missing {
  readonly snippet: string

  constructor(snippet: string) {
    this.snippet = snippet
  }
}

/** Loads snippets of these names, and those that they name themselves. */
export async function loadAll(
  names: Iterable<string>,
  snippets: Snippets,
  load: (name: string) => Promise<string | null>,
): Promise<void> {
  let wanted = [...names].filter((name) => !snippets.has(name))
  while (wanted.length > 0) {
    if (snippets.size + wanted.length > MAX_SNIPPETS)
      throw new TemplateError(`names more than ${MAX_SNIPPETS} snippets`)
    const sources = await Promise.all(wanted.map(load))
    const next = new Set<string>()
    for (const [index, name] of wanted.entries()) {
      const loaded = readSnippet(sources[index] ?? null)
      snippets.set(name, loaded)
      if (loaded !== null && 'snippets' in loaded && !(loaded instanceof TemplateError))
        for (const each of loaded.snippets) next.add(each)
    }
    wanted = [...next].filter((name) => !snippets.has(name))
  }
}

function readSnippet(source: string | null): Template | TemplateError | null {
  if (source === null) return null
  try {
    return compile(source)
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
}

/** Lists the names of the functions that every template has. */
export function listFunctions(): readonly string[] {
  return [...FUNCTIONS.keys(), ...createSnippetFunctions(new Map()).map(([name]) => name)]
}

/** Creates the rendering of a template whose snippets are loaded, for work that goes on in portions. */
export function openRendering(options: Options, snippets: Snippets): Rendering {
  const functions = new Map([...FUNCTIONS, ...createSnippetFunctions(snippets)])
  const rendering = new Rendering(options, meterOf(options), { evaluate, functions })
  if (options.name !== undefined) rendering.instances.set('@template_name', options.name)
  return rendering
}

function meterOf(options: Options): Meter {
  return new Meter({ ...DEFAULT_BUDGET, ...options.budget })
}

function run(template: Template, options: Options, snippets: Snippets, meter: Meter | null): string {
  const functions = new Map([...FUNCTIONS, ...(meter === null ? [] : createSnippetFunctions(snippets))])
  const rendering = new Rendering(options, meter ?? meterOf(options), { evaluate, functions })
  rendering.meter.returnTo(0)
  if (options.name !== undefined) rendering.instances.set('@template_name', options.name)
  try {
    return renderWhole(template, rendering)
  } catch (error) {
    throw locate(error, rendering.line, rendering.snippets)
  }
}

/** Yields the whole output of a template; `break` and `next` do not leave it. */
function renderWhole(template: Template, rendering: Rendering): string {
  try {
    return rendering.capture(() => rendering.evaluate(template.node, new Scope(null)))
  } catch (error) {
    throw error instanceof Leaving ? new TemplateError(`${error.how} is not inside of a loop or block`) : error
  }
}

function createSnippetFunctions(snippets: Snippets): [string, BuiltIn][] {
  return [
    [
      'snippet',
      (args, rendering) => putIn(args, snippets, rendering) ?? fail(`there is no snippet '${requireText(args[0])}'`),
    ],
    ['snippet_if_exists', (args, rendering) => putIn(args, snippets, rendering) ?? ''],
    [
      'snippets',
      (args, rendering) => putIn(args, snippets, rendering) ?? fail(`there is no snippet '${requireText(args[0])}'`),
    ],
    ['template_name', (_args, rendering) => rendering.instances.get('@template_name') ?? null],
  ]
}

/** Renders a snippet in the same world; null where there is none of this name. */
function putIn([given, options]: readonly Value[], snippets: Snippets, rendering: Rendering): string | null {
  const name = requireText(given)
  const template = snippets.get(name)
  if (template === undefined) throw new Missing(name)
  if (template === null) return null
  if (rendering.snippets.includes(name))
    fail(`snippets put in each other: ${[...rendering.snippets, name].join(' > ')}`)
  if (rendering.snippets.length >= MAX_SNIPPETS_DEEP)
    fail(`snippets are nested more than ${MAX_SNIPPETS_DEEP} deep: ${[...rendering.snippets, name].join(' > ')}`)
  const before = { line: rendering.line, snippets: rendering.snippets, instances: new Map(rendering.instances) }
  rendering.snippets = [...before.snippets, name]
  if (template instanceof TemplateError) throw new TemplateError(template.reason, template.line, rendering.snippets)
  const passed = readPassed(options).set('template_name', name)
  for (const [variable, value] of passed) rendering.instances.set(`@${variable}`, value)
  try {
    const result = renderWhole(template, rendering)
    rendering.line = before.line
    rendering.snippets = before.snippets
    return result
  } catch (error) {
    throw locate(error, rendering.line, rendering.snippets)
  } finally {
    for (const variable of passed.keys()) restore(rendering.instances, `@${variable}`, before.instances)
  }
}

/** Reads the variables of `snippet 'x', variables: { a: 1 }`, which become `@a` in the snippet. */
function readPassed(options: Value | undefined): Map<string, Value> {
  const passed = new Map<string, Value>()
  if (!(options instanceof Hash)) return passed
  const variables = options.entries.get(':variables')?.[1]
  if (!(variables instanceof Hash)) return passed
  for (const [key, value] of variables.entries.values())
    passed.set(key instanceof Sym ? key.name : requireText(key), value)
  return passed
}

function restore(instances: Map<string, Value>, name: string, before: ReadonlyMap<string, Value>): void {
  if (before.has(name)) instances.set(name, before.get(name) ?? null)
  else instances.delete(name)
}
