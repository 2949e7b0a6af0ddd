import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How often the command after writes has run and failed, and whether writes have come since it last began. */
export interface AfterWrites {
  readonly runs: number
  readonly failed: number
  readonly pending: boolean
}

/** The command starts after this time without a write, so that one import takes everything that a program writes. */
const QUIET_MS = 2000

/** Creates a function that notes a write. Once none has come for two seconds, a shell runs the command, never twice at once. */
export function createAfterWrites(command: string) {
  const state = { runs: 0, failed: 0, pending: false }
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  return {
    note(): void {
      state.pending = true
      clearTimeout(timer)
      timer = setTimeout(start, QUIET_MS)
    },
    report: (): AfterWrites => ({ ...state }),
    /** Starts no further command, and resolves once none runs. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      await running
      clearTimeout(timer)
    },
  }

  function start(): void {
    if (running !== null) return
    state.pending = false
    running = run().finally(() => {
      running = null
      if (state.pending) timer = setTimeout(start, QUIET_MS)
    })
  }

  async function run(): Promise<void> {
    // What it prints would mix with the addresses on standard output.
    const child = spawn(command, { shell: true, stdio: ['ignore', process.stderr, 'inherit'] })
    const code = await once(child, 'close').then(
      ([status]) => status,
      () => null, // no shell could be started: clients go on
    )
    state.runs++
    if (code !== 0) state.failed++
  }
}
