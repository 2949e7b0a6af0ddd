import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { CLASS_READER } from '../../../../words/class-reader.ts'
import { SourceError } from '../source.ts'

/** The running tool of the configuration engine that parses manifests. */
export interface ClassTool extends AsyncDisposable {
  /** Yields a line of JSON about each file, in order. {@throws SourceError} when the tool ends early */
  read(paths: readonly string[]): AsyncGenerator<string>
}

/** The most characters of the tool's error output that a message quotes. */
const MOST_COMPLAINTS = 2000

/** Starts the tool once for all environments, because its start takes longer than reading one. */
export function startClassTool(ruby: string): ClassTool {
  const tool = spawn(ruby, ['-e', CLASS_READER], { stdio: ['pipe', 'pipe', 'pipe'] })
  let complaints = ''
  tool.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(0, MOST_COMPLAINTS)
  })
  const ended = new Promise<string>((resolve) => {
    tool.once('error', ({ message }) => resolve(message))
    tool.once('close', (status) => resolve(`it ended with status ${status}: ${complaints.trim()}`))
  })
  tool.stdin.on('error', () => {}) // it has ended, which is told where its answers are read
  const lines = createInterface({ input: tool.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]()
  return {
    async *read(paths) {
      for (const path of paths) tool.stdin.write(`${JSON.stringify(path)}\n`)
      for (let read = 0; read < paths.length; read += 1) {
        const { value, done } = await lines.next()
        if (done) throw new SourceError(`the tools of the configuration engine failed: ${await ended}`)
        yield value
      }
    },
    async [Symbol.asyncDispose]() {
      tool.kill()
      await ended
    },
  }
}
