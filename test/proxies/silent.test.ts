import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { CONFIG_ENGINE_PATH } from '../../src/words/protocols.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// A user who may set a URL makes this service send a request there. The answer stays secret: no answer, audit, task, record
// or log line repeats it, no redirect is followed, and answers that differ in wording only are reported equally.

const CANARY = 'canary-5f1e'
const logged: string[] = []

let api: TestApi
let url: string
let answer: (response: ServerResponse) => void = features
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  answer(response)
})

beforeAll(async () => {
  api = await openTestApi({ log: pino({ level: 'trace' }, { write: (line) => void logged.push(line) }) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await api?.[Symbol.asyncDispose]()
})

/** The name of the feature at smart proxies, as in the path of runs. */
const [ENGINE = ''] = CONFIG_ENGINE_PATH.split('/')

/** Answers with the features of a smart proxy that has classes. */
function features(response: ServerResponse): void {
  response.end(JSON.stringify({ [ENGINE]: { state: 'running', capabilities: [], settings: {} } }))
}

/** Answers of something else, with the word in every part of an answer. */
const strange = (word: string): Record<string, (response: ServerResponse) => void> => ({
  text: (response) => response.end(`${word} is secret`),
  html: (response) => response.setHeader('content-type', 'text/html').end(`<title>${word}</title>`),
  'a JSON text': (response) => response.end(JSON.stringify(word)),
  'a JSON object': (response) => response.end(JSON.stringify({ [word]: { [word]: [word] } })),
  'broken JSON': (response) => response.end(`{"a": ${word}`),
  'a status': (response) => response.writeHead(403, word, { 'x-said': word }).end(word),
  'a fault': (response) => response.writeHead(500, word).end(JSON.stringify({ error: word })),
  'a status of its own': (response) => response.writeHead(499, word).end(word),
  'a redirection': (response) => response.writeHead(302, word, { location: `${url}/${word}` }).end(word),
})

const KINDS = Object.keys(strange(''))

test.each(KINDS)('%s', async (kind) => {
  answer = features
  const made = await expectCreated(
    api.admin.post('/api/smart_proxies', { name: `proxy ${kind}`, url: `${url}/${KINDS.indexOf(kind)}` }),
  )
  const sentences: string[][] = []
  for (const word of [CANARY, 'canary-other']) {
    answer = strange(word)[kind] ?? features
    const path = `/api/smart_proxies/${made.id}`
    const answers = [
      await api.admin.post(`${path}/import_configclasses`, {}),
      await api.admin.post(`${path}/import_configclasses`, { dryrun: true }),
      await api.admin.put(`${path}/refresh`, {}),
      await api.admin.put(path, { url: `${url}/${KINDS.indexOf(kind)}` }),
      await api.admin.post('/api/smart_proxies', { name: `other ${kind}`, url: `${url}/x${KINDS.indexOf(kind)}` }),
      await api.admin.get(path),
      await api.admin.get('/api/audits?per_page=all'),
      await api.admin.get('/api/tasks?per_page=all'),
    ]
    for (const { text } of answers) expect(text).not.toContain('canary')
    sentences.push(answers.slice(0, 3).map(({ status, text }) => `${status} ${text}`))
    await sql`delete from smart_proxies where name = ${`other ${kind}`}`.execute(api.database.db)
  }
  expect(sentences[1]).toEqual(sentences[0])
  expect(asked.filter((path) => path.includes('canary'))).toEqual([])
  expect(logged.filter((line) => line.includes('canary'))).toEqual([])
  const kept = await rows<{ text: string }>(
    api.database.db,
    sql`select to_jsonb(p)::text as text from smart_proxies p union all select to_jsonb(t)::text from tasks t`,
  )
  expect(kept.filter(({ text }) => text.includes('canary'))).toEqual([])
})
