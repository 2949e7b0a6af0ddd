import { existsSync } from 'node:fs'

/** The path of the configuration engine's agent on Debian. */
export const AGENT = '/usr/bin/puppet'

/** Yields the arguments that apply a manifest on this machine. */
export function applying(manifest: string): string[] {
  return [AGENT, 'apply', '--color=false', manifest]
}

/** Tells whether the agent is installed; false is reported, and fails with CI=true. */
export function hasAgent(): boolean {
  if (existsSync(AGENT)) return true
  const missing = `${AGENT} is not installed (.ci/run installs it)`
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: the tests with the configuration agent: ${missing}`)
  return false
}

/** A folder like that of a configuration server: an environment with modules, and a script that classifies nodes. */
export interface AgentFolder {
  readonly path: string
  /** The absolute path of the script, which gets the certificate name as its argument. */
  readonly classifier: string
}

/** A compiled catalogue: its environment and its resources, `Class[Web]` by type and title. */
export interface Catalogue {
  readonly environment: string
  readonly classes: readonly string[]
  readonly resources: readonly {
    readonly type: string
    readonly title: string
    readonly parameters?: Readonly<Record<string, unknown>>
  }[]
}

/** Yields the arguments that print the catalogue of a node as JSON, compiled with the classes from the script. */
export function compiling(folder: AgentFolder, certname: string): string[] {
  return [AGENT, 'catalog', 'compile', certname, '--render-as', 'json', ...placed(folder)]
}

/** Yields the arguments that would apply the catalogue here without changing anything. */
export function rehearsing(folder: AgentFolder, certname: string): string[] {
  return [AGENT, 'apply', '--noop', '--color=false', '--certname', certname, ...placed(folder), '-e', '']
}

/** Parses the catalogue from the output of {@link compiling}, which also contains log lines. */
export function catalogueIn(output: string): Catalogue {
  const line = output.split('\n').find((each) => each.startsWith('{'))
  if (line === undefined) throw new Error(`no catalogue was compiled: ${output}`)
  return JSON.parse(line)
}

function placed({ path, classifier }: AgentFolder): string[] {
  const places = { environmentpath: 'environments', confdir: 'conf', vardir: 'var' }
  const folders = Object.entries(places).flatMap(([setting, name]) => [`--${setting}`, `${path}/${name}`])
  return ['--node_terminus', 'exec', '--external_nodes', classifier, ...folders]
}
