import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { openHammer } from '../test/acceptance/hammer/hammer.ts'
import { formatCommands, listPath } from '../test/acceptance/hammer/listed.ts'

// Writes the commands and options that hammer offers for a server with the given description, as a reference for tests.
// Usage: node scripts/list-hammer.ts DESCRIPTION.json VERSION…
const [path = '', ...versions] = process.argv.slice(2)
const description = readFileSync(path, 'utf8')
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json').setHeader('apipie-checksum', 'none')
  response.end(request.url?.includes('/apidoc/v2') ? description : '{}')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined

for (const version of versions) {
  await using hammer = await openHammer({ version, url: `http://127.0.0.1:${port}` })
  mkdirSync(dirname(listPath(version)), { recursive: true })
  writeFileSync(listPath(version), formatCommands(hammer.commands))
}
server.close()
