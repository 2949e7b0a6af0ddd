import { createServer } from 'node:http'

// The baseline of answers that do not come from a statement: node:http and nothing else, sending bytes that are there.

process.once('message', (text: string) => {
  const body = Buffer.from(text)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length }).end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
})
process.on('disconnect', () => process.exit())
