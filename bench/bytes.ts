import { createServer } from 'node:http'

// The baseline for answers without a statement: node:http, sending constant bytes.

process.once('message', (text: string) => {
  const body = Buffer.from(text)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length }).end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
})
process.on('disconnect', () => process.exit())
