import { lockDirectory } from '../../src/postgresql/directory-lock.ts'

// A process that locks the directory it is told, says so, and does nothing else until it is killed.
const lock = await lockDirectory(process.argv[2] ?? '')
console.log(lock.directory)
setInterval(() => lock.directory, 60_000)
