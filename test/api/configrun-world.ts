import type { Timing } from '../../src/areas/runs/workers.ts'
import { sql } from '../../src/sql.ts'
import { type HostProgram, hostProgram } from '../runs/queue-world.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

/** A service whose runs execute a program, with an organization and a location for hosts. */
export interface RunsWorld extends AsyncDisposable {
  readonly api: TestApi
  readonly program: HostProgram
  /** A smart proxy whose runs execute the program. */
  readonly proxy: number
  readonly place: { readonly organization_id: number; readonly location_id: number }
  /** Creates a host of that proxy, unless the keys say otherwise. */
  readonly host: (name: string, keys?: Readonly<Record<string, unknown>>) => Promise<{ id: number; name: string }>
  /** Starts workers, which the test ends. */
  readonly workers: (timing?: Partial<Timing>) => ReturnType<TestApi['startRunWorkers']>
  /** Deletes all runs and hosts, and makes programs wait again. */
  readonly clear: () => Promise<void>
  readonly setting: (name: string, value: unknown) => Promise<void>
}

/** `first` are shell commands that the program executes first; $1 is the host. */
export async function openRunsWorld(first?: string): Promise<RunsWorld> {
  const program = hostProgram(first)
  const api = await openTestApi({ env: { MILLWRIGHT_RUN_COMMANDS: program.path } })
  const organization_id = (await given(api.admin, 'organization')).id
  const location_id = (await given(api.admin, 'location')).id
  const place = { organization_id, location_id }
  const taxonomies = { organization_ids: [organization_id], location_ids: [location_id] }
  const runner = { runner: 'command', runner_command: [program.path], ...taxonomies }
  const proxy = (await given(api.admin, 'smart_proxy', runner)).id
  const setting = async (name: string, value: unknown) => {
    const { status, text } = await api.admin.put(`/api/settings/${name}`, { setting: { value } })
    if (status !== 200) throw new Error(text)
  }
  await setting('configrun', true)
  return {
    api,
    program,
    proxy,
    place,
    host: async (name, keys = {}) => {
      const host = await given(api.admin, 'host', { name, config_proxy_id: proxy, ...place, ...keys })
      return { id: host.id, name: host.name }
    },
    workers: (timing) => api.startRunWorkers(timing),
    clear: async () => {
      program.hold()
      for (const table of ['config_runs', 'config_rollouts', 'hosts']) {
        await sql`delete from ${sql.table(table)}`.execute(api.database.db)
      }
    },
    setting,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      program[Symbol.dispose]()
    },
  }
}
