import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { hammerCommand, hasHammer } from '../../test/acceptance/hammer/hammer.ts'
import { computeQuantile } from '../measure.ts'
import { startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const execute = promisify(execFile)
const TURNS = 9
const HAMMER = '5.0'

/** Measures commands from start to exit, in turn with a Node program that only sends equal requests. */
export async function measureCli(stages: Stages): Promise<Line[]> {
  const { env, people } = await stages.fleet()
  await using service = await startService(stages.folder, { ...env, MILLWRIGHT_VENDOR_PORT: '0' })
  const home = await mkdtemp(join(tmpdir(), 'millwright-bench-cli-'))
  const url = `http://127.0.0.1:${service.port}`
  const own = { PATH: process.env.PATH, HOME: home, MILLWRIGHT_URL: url, MILLWRIGHT_TOKEN: people.viewer }
  const timeCommand = async (args: readonly string[]) => {
    const began = performance.now()
    await execute(process.execPath, args, { env: own, maxBuffer: 1e9 })
    return performance.now() - began
  }
  const program = resolve('bin/millwright.js')
  const buildBareArguments = (path: string, pages: number) => ['-e', BARE, path, String(pages)]
  const timeBoth = async (ours: readonly string[], theirs: readonly string[]) => {
    const times: [number[], number[]] = [[], []]
    for (let turn = 0; turn < TURNS; turn++) {
      times[0].push(await timeCommand([program, ...ours]))
      times[1].push(await timeCommand(theirs))
    }
    return times.map((each) => computeQuantile(each.slice(1), 0.5)) as [number, number]
  }
  const [one, bareOne] = await timeBoth(
    ['architecture', 'list', '--per-page', '1'],
    buildBareArguments('/api/architectures?per_page=1&page=', 1),
  )
  const [help, bareStart] = await timeBoth(['--help'], ['-e', '0'])
  const [all, bareAll] = await timeBoth(
    ['host', 'list', '--all', '--output', 'jsonl'],
    buildBareArguments('/api/hosts?per_page=1000&page=', 10),
  )
  const [completion, bareName] = await timeBoth(
    ['__complete', '--', 'architecture', 'info', 'x'],
    buildBareArguments('/api/architectures?per_page=1&page=', 1),
  )
  const hammer = hasHammer(HAMMER) ? await timeHammer(home, service.vendorPort, people.viewer) : null
  const fleet = await streamMany(stages, own)
  await rm(home, { recursive: true })
  const buildLine = (work: string, milliseconds: number, other: number, text: string, met: boolean): Line => ({
    ...{ row: 'cli', work, database: 'PostgreSQL', milliseconds, ratio: milliseconds / other },
    ...{ to: 'bare Node', budget: { text, met } },
  })
  return [
    buildLine('one row, start to exit', one, bareOne, '<= 150 ms', one <= 150),
    ...(hammer === null
      ? []
      : [{ row: 'cli', work: 'one row by hammer', database: 'PostgreSQL', milliseconds: hammer } as const]),
    buildLine('help', help, bareStart, '<= 100 ms', help <= 100),
    buildLine('10,000 hosts', all, bareAll, '<= 1.5 times', all <= 1.5 * bareAll),
    buildLine('a name completed', completion, bareName, '<= 150 ms', completion <= 150),
    fleet,
  ]
}

/** Streams all hosts of a fleet without a table, and measures the peak memory of the command. */
async function streamMany(stages: Stages, own: NodeJS.ProcessEnv): Promise<Line> {
  const { env, people, size } = await stages.many()
  await using service = await startService(stages.folder, { ...env, MILLWRIGHT_VENDOR_PORT: '0' })
  const asked = { ...own, MILLWRIGHT_URL: `http://127.0.0.1:${service.port}`, MILLWRIGHT_TOKEN: people.viewer }
  const words = ['host', 'list', '--all', '--output', 'jsonl', '--fields', 'id,name']
  const began = performance.now()
  const { stdout, stderr } = await execute(
    process.execPath,
    ['--import', `data:text/javascript,${TELL_MEMORY}`, resolve('bin/millwright.js'), ...words],
    { env: asked, maxBuffer: 1e9 },
  )
  const milliseconds = performance.now() - began
  const printed = stdout.split('\n').length - 1
  if (printed !== size.hosts) throw new Error(`${printed} hosts were printed, not ${size.hosts}`)
  const memoryMiB = Number(stderr) / 1024
  return {
    ...{ row: 'cli', work: `${size.hosts.toLocaleString('en')} hosts`, database: 'PostgreSQL', milliseconds },
    ...{ memoryMiB, budget: { text: '<= 150 MiB', met: memoryMiB <= 150 } },
  }
}

const TELL_MEMORY = 'process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)))'

/** Measures hammer, the known command line, on an equal list, with its cache of the API description filled. */
async function timeHammer(home: string, port: number, token: string): Promise<number> {
  const { program, env } = await hammerCommand(HAMMER, home, `http://127.0.0.1:${port}`)
  const words = ['-u', 'viewer', '-p', token, 'architecture', 'list', '--per-page', '1']
  const times: number[] = []
  for (let turn = 0; turn < 4; turn++) {
    const began = performance.now()
    await execute('ruby', [program, ...words], { env })
    times.push(performance.now() - began)
  }
  return computeQuantile(times.slice(1), 0.5)
}

/** Requests page after page, and prints each record. */
const BARE = `
const http = require('node:http')
const { MILLWRIGHT_URL, MILLWRIGHT_TOKEN } = process.env
const headers = { authorization: 'Bearer ' + MILLWRIGHT_TOKEN }
const [path, pages] = process.argv.slice(1)
function ask(page) {
  http.get(MILLWRIGHT_URL + path + page, { headers }, (answer) => {
    const parts = []
    answer.on('data', (part) => parts.push(part))
    answer.on('end', () => {
      const { results } = JSON.parse(Buffer.concat(parts).toString())
      process.stdout.write(results.map((row) => JSON.stringify(row) + '\\n').join(''))
      if (page < Number(pages)) ask(page + 1)
      else process.exit(0)
    })
  })
}
ask(1)`
