// Runs a server in its own network namespace, in which every user may use low ports, and forwards these to sockets in a
// folder: unshare -Urn node samba-namespace.ts FOLDER ADDRESS PORTS PROGRAM ARGUMENTS...

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { endingWithUs, execFileSync, spawn } from '../processes.ts'
import { forward, untilAnswers } from './forward.ts'

const [folder = '', host = '', ports = '', ...command] = process.argv.slice(2)

// The loopback device of a new namespace is down; `ip` is not installed everywhere, but Python comes with the server.
execFileSync('/usr/bin/python3', [
  '-c',
  "import fcntl, socket, struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh22x', b'lo', 0x41))",
])
const [program = '', ...args] = endingWithUs(command)
const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
server.once('exit', (code) => process.exit(code ?? 1))
process.once('SIGTERM', () => server.kill('SIGTERM'))
process.once('exit', () => server.kill('SIGKILL'))

for (const port of ports.split(',').map(Number)) {
  const path = join(folder, String(port))
  rmSync(path, { force: true })
  await untilAnswers({ host, port })
  await forward({ path }, { host, port })
}
