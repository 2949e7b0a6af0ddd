import { existsSync } from 'node:fs'

/** The agent of the configuration engine, as Debian installs it. */
export const AGENT = '/usr/bin/puppet'

/** The words that apply a manifest on the machine they are called on. */
export function applying(manifest: string): string[] {
  return [AGENT, 'apply', '--color=false', manifest]
}

/** Whether it is there; false is told, and with CI=true an error. */
export function hasAgent(): boolean {
  if (existsSync(AGENT)) return true
  const missing = `${AGENT} is not installed (.ci/run installs it)`
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: the tests with the configuration agent: ${missing}`)
  return false
}

/** A folder with what a server of the engine has: an environment with modules, and a script that it asks about nodes. */
export interface AgentFolder {
  readonly path: string
  /** Absolute path of the script; the certificate name comes behind it. */
  readonly classifier: string
}

/** A catalogue as it was compiled: its environment and its resources, `Class[Web]` by type and title. */
export interface Catalogue {
  readonly environment: string
  readonly classes: readonly string[]
  readonly resources: readonly {
    readonly type: string
    readonly title: string
    readonly parameters?: Readonly<Record<string, unknown>>
  }[]
}

/** The words that print the catalogue of a node as JSON, compiled with what the script says. */
export function compiling(folder: AgentFolder, certname: string): string[] {
  return [AGENT, 'catalog', 'compile', certname, '--render-as', 'json', ...placed(folder)]
}

/** The words that would apply that catalogue here, and change nothing. */
export function rehearsing(folder: AgentFolder, certname: string): string[] {
  return [AGENT, 'apply', '--noop', '--color=false', '--certname', certname, ...placed(folder), '-e', '']
}

/** The catalogue in what {@link compiling} printed, between what it logged. */
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
