/** Names of events on the vendor port. An event there is one of our types, perhaps limited to some new values. */
interface Meaning {
  readonly type: string
  /** The values of a change, or of the details of a task or run, that make it this event. */
  readonly values: Readonly<Record<string, string | boolean>> | null
}

/** The end of each full name. */
const SUFFIX = '.event.foreman'

const RECORDS = ['content_view', 'domain', 'host', 'hostgroup', 'model', 'subnet', 'user']
const HAPPENED = { created: 'created', updated: 'updated', destroyed: 'deleted' } as const
const RESULTS = { succeeded: 'success', failed: 'error' } as const

/** The meanings of all events that the service has, by their short names. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...RECORDS.flatMap((name) =>
    Object.entries(HAPPENED).map(([theirs, ours]): [string, Meaning] => [
      `${name}_${theirs}`,
      { type: `${name}.${ours}`, values: null },
    ]),
  ),
  ['build_entered', { type: 'host.updated', values: { build: true } }],
  ['build_exited', { type: 'host.updated', values: { build: false } }],
  ...listTaskEvents('content_view.publish', 'content_view.publish'),
  ...listTaskEvents('content_view.promote', 'content_view_version.promote'),
  ['actions.remote_execution.run_host_job_succeeded', { type: 'config_run.finished', values: { status: 'succeeded' } }],
  ['actions.remote_execution.run_host_job_failed', { type: 'config_run.finished', values: { status: 'failed' } }],
])

function listTaskEvents(theirs: string, kind: string): [string, Meaning][] {
  return Object.entries(RESULTS).map(([word, result]) => [
    `actions.katello.${theirs}_${word}`,
    { type: 'task.finished', values: { kind, result } },
  ])
}

/** The short names of all events, sorted. */
export const EVENT_NAMES: readonly string[] = [...MEANINGS.keys()].sort()

/** Finds the meaning of a name, with or without its end, also in camel case; undefined for an unknown one. */
export function findMeaning(name: string): Meaning | undefined {
  return MEANINGS.get(toSnakeCase(name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name))
}

/** Finds the full name of a type with exactly these values; undefined where there is none. */
export function findEventName(type: string, values: unknown): string | undefined {
  const wanted = sortMembers(values)
  const found = [...MEANINGS].find(([, one]) => one.type === type && sortMembers(one.values) === wanted)
  return found && found[0] + SUFFIX
}

function sortMembers(values: unknown): string {
  if (typeof values !== 'object' || values === null) return 'null'
  return JSON.stringify(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Writes a name as files of classes are named: `HostCreated` is `host_created`, and `::` a dot. */
function toSnakeCase(name: string): string {
  return name
    .replaceAll('::', '.')
    .replaceAll('/', '.')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}

/** The template that new webhooks of the vendor port have unless they name another one. */
export const DEFAULT_PAYLOAD_TEMPLATE = 'Webhook Template - Payload Default'
