import { createInterface } from 'node:readline'
import type { Session } from './commands/session.ts'
import { usage } from './failure.ts'

/** Asks a question at the terminal, without echo where the answer is secret; otherwise reads a line of standard input. */
export async function askText({ streams }: Session, question: string, isSecret: boolean): Promise<string> {
  const { stdin, stderr } = streams
  if (!stdin.isTTY) return readLine(stdin, question)
  if (!isSecret) {
    stderr.write(question)
    return readLine(stdin, question)
  }
  return new Promise((resolve, reject) => {
    let text = ''
    // Set before the question is printed, so that nothing typed early is echoed.
    stdin.setRawMode(true)
    stdin.setEncoding('utf8')
    stderr.write(question)
    const end = () => {
      stdin.setRawMode(false)
      stdin.removeListener('data', take)
      stdin.pause()
      stderr.write('\n')
    }
    const take = (typed: string) => {
      for (const letter of typed) {
        if (letter === '\r' || letter === '\n' || letter === '\u0004') {
          end()
          resolve(text)
          return
        }
        if (letter === '\u0003') {
          end()
          reject(usage('given up'))
          return
        }
        text = letter === '\u007f' || letter === '\b' ? text.slice(0, -1) : text + letter
      }
    }
    stdin.on('data', take)
    stdin.resume()
  })
}

const lines = new WeakMap<object, AsyncIterator<string>>()

async function readLine(stdin: NodeJS.ReadStream, question: string): Promise<string> {
  let iterator = lines.get(stdin)
  if (!iterator) {
    iterator = createInterface({ input: stdin })[Symbol.asyncIterator]()
    lines.set(stdin, iterator)
  }
  const { value, done } = await iterator.next()
  if (done) throw usage(`${question.trim()} has no answer: standard input has ended`)
  return String(value)
}
