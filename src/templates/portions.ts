import { locate, TemplateError } from './error.ts'
import type { CallNode, Node } from './parser/syntax.ts'
import { compile, loadAll, Missing, type Options, openRendering, type Snippets } from './render.ts'
import { Leaving, type Rendering, Scope } from './rendering.ts'
import type { Call, HostValue, Value } from './values.ts'

/** Opens the records that a call of the template asks for; yields them in portions. */
export type OpenRecords = (call: Pick<Call, 'args' | 'named'>) => AsyncIterable<readonly HostValue[]>

/** The most records that a template gets at once, where it does not loop over them outside of everything else. */
const MOST_AT_ONCE = 5000
const MOST_LOADS = 25
/** The most records of all loads together. */
const MOST_IN_ALL = 20_000
/** So long a template may take, its loads included. */
const LONGEST_MS = 600_000

/** The loops over records that are read in portions; arrays have them, too. */
const LOOPS = ['each_record', 'each', 'find_each']
const PORTION = '@ portion'
/** A portion of so many records gets the whole budget again, a smaller one its part of that. */
const FULL_PORTION = 500

/** Thrown where records are needed that are not loaded yet. */
class Needed {
  readonly key: string
  readonly open: () => AsyncIterable<readonly HostValue[]>

  constructor(key: string, open: () => AsyncIterable<readonly HostValue[]>) {
    this.key = key
    this.open = open
  }
}

/** What functions that load records yield, by name and arguments. */
interface Loading {
  readonly loads: Readonly<Record<string, OpenRecords>>
  /** Records that are loaded as a whole. */
  readonly loaded: Map<string, readonly HostValue[]>
}

/**
 * Renders a template that loads records, and yields its text piece by piece. A loop over records that stands outside of
 * everything else is done in portions, each with the whole budget, so that it may be over any number. Where a template needs
 * records otherwise, they are loaded at once, and it begins again; `begin` is called each time. When `isSent` says that
 * something of it is on its way already, it cannot begin again.
 */
export async function* renderPortions(
  source: string,
  options: Options,
  from: {
    readonly loads: Readonly<Record<string, OpenRecords>>
    readonly snippet: (name: string) => Promise<string | null>
    readonly begin: () => void
    readonly isSent: () => boolean
  },
): AsyncGenerator<string> {
  const template = compile(source)
  const snippets: Snippets = new Map()
  const loading: Loading = { loads: from.loads, loaded: new Map() }
  await loadAll(template.snippets, snippets, from.snippet)
  let missing: unknown = null
  const end = performance.now() + LONGEST_MS
  do {
    from.begin()
    let line = 1
    try {
      missing = null
      const rendering = openRendering(withLoads(options, loading), snippets)
      for await (const text of renderNodes(listNodes(template.node), rendering, loading)) {
        line = rendering.line
        if (performance.now() > end) throw new TemplateError(`takes longer than ${LONGEST_MS / 60_000} minutes`)
        yield text
      }
    } catch (error) {
      if (error instanceof Missing) await loadAll([error.snippet], snippets, from.snippet)
      else if (error instanceof Located) await loadWhole(error, loading)
      else throw locate(error, line, [])
      missing = error
      if (from.isSent()) throw new TemplateError('loads records or snippets behind the rows of a large report', line)
    }
  } while (missing !== null)
}

/** A need with the line where it arose. */
class Located {
  readonly needed: Needed
  readonly line: number

  constructor(needed: Needed, line: number) {
    this.needed = needed
    this.line = line
  }
}

async function loadWhole({ needed, line }: Located, { loaded }: Loading): Promise<void> {
  if (loaded.size >= MOST_LOADS) throw new TemplateError(`loads records more than ${MOST_LOADS} times`, line)
  const before = [...loaded.values()].reduce((sum, records) => sum + records.length, 0)
  const all: HostValue[] = []
  for await (const portion of needed.open()) {
    all.push(...portion)
    if (before + all.length > MOST_IN_ALL)
      throw new TemplateError(`loads more than ${MOST_IN_ALL} records in all`, line)
    if (all.length > MOST_AT_ONCE)
      throw new TemplateError(
        `loads more than ${MOST_AT_ONCE} records at once: loop over them with each_record, outside of everything else`,
        line,
      )
  }
  loaded.set(needed.key, all)
}

function withLoads(options: Options, { loads, loaded }: Loading): Options {
  const functions = Object.entries(loads).map(([name, open]) => [
    name,
    (call: Call) => {
      const key = keyOf(name, call)
      const records = loaded.get(key)
      if (records === undefined) throw new Needed(key, () => open(call))
      return records
    },
  ])
  return { ...options, functions: { ...options.functions, ...Object.fromEntries(functions) } }
}

function keyOf(name: string, { args, named }: Call): string {
  const readPlain = (key: string) => {
    const value = named.get(key) ?? null
    return typeof value === 'object' && value !== null ? 'unusable' : String(value)
  }
  return JSON.stringify([name, args.length, readPlain('search'), readPlain('limit')])
}

function listNodes(node: Node): readonly Node[] {
  return node.kind === 'sequence' ? node.nodes : [node]
}

async function* renderNodes(nodes: readonly Node[], rendering: Rendering, { loads }: Loading): AsyncGenerator<string> {
  const scope = new Scope(null)
  for (const node of nodes) {
    const load = loopOver(node, loads)
    if (load === null) {
      yield put(node, scope, rendering).text
      continue
    }
    const { portions, isLoaded } = openPortions(load, scope, rendering, loads)
    for await (const portion of portions) {
      if (!isLoaded) rendering.meter.renew(portion.length / FULL_PORTION)
      const { text, isLeft } = putPortion(load, portion, scope, rendering)
      yield text
      if (isLeft) break
    }
  }
}

/** The loop over records that a node is, outside of everything else; null for any other node. */
function loopOver(node: Node, loads: Loading['loads']): (CallNode & { readonly receiver: CallNode }) | null {
  if (node.kind !== 'call' || !LOOPS.includes(node.name) || node.block === null || node.args.length > 0) return null
  const { receiver } = node
  if (receiver?.kind !== 'call' || receiver.receiver !== null || !Object.hasOwn(loads, receiver.name)) return null
  return { ...node, receiver }
}

/** Evaluates the arguments of the function that loads records, and opens them. */
function openPortions(
  { receiver }: { readonly receiver: CallNode },
  scope: Scope,
  rendering: Rendering,
  loads: Loading['loads'],
): { readonly portions: AsyncIterable<readonly HostValue[]>; readonly isLoaded: boolean } {
  const wanted: { open?: () => AsyncIterable<readonly HostValue[]> } = {}
  try {
    const records = rendering.evaluate(receiver, scope)
    if (Array.isArray(records)) return { portions: yieldOnce(records), isLoaded: true }
  } catch (error) {
    if (!(error instanceof Needed)) throw locateNeed(error, rendering)
    wanted.open = error.open
  }
  const opened = wanted.open?.() ?? loads[receiver.name]?.({ args: [], named: new Map() })
  return { portions: opened ?? yieldOnce([]), isLoaded: opened === undefined }
}

async function* yieldOnce(records: readonly HostValue[]): AsyncGenerator<readonly HostValue[]> {
  yield records
}

interface Put {
  readonly text: string
  readonly value: Value
}

/** Evaluates the loop over a portion; `isLeft`: by `break`, whose value is not the list. */
function putPortion(loop: CallNode, portion: readonly HostValue[], scope: Scope, rendering: Rendering) {
  const records = rendering.takeIn(portion)
  rendering.instances.set(PORTION, records)
  const { text, value } = put({ ...loop, receiver: { kind: 'instance', name: PORTION } }, scope, rendering)
  return { text, isLeft: value !== records }
}

/** Evaluates a node and yields its output. */
function put(node: Node, scope: Scope, rendering: Rendering): Put {
  let value: Value = null
  rendering.meter.returnTo(0)
  try {
    const text = rendering.capture(() => {
      value = rendering.evaluate(node, scope)
    })
    return { text, value }
  } catch (error) {
    if (!(error instanceof Leaving)) throw locateNeed(error, rendering)
    throw locateNeed(new TemplateError(`${error.how} is not inside of a loop or block`), rendering)
  }
}

function locateNeed(error: unknown, rendering: Rendering): unknown {
  if (error instanceof Needed) return new Located(error, rendering.line)
  return error instanceof Missing ? error : locate(error, rendering.line, rendering.snippets)
}
