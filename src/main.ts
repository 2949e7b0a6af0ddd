#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Keeps what Node makes of the sources, so that the next start does not make it again: half the time, a fifth of the
// memory. Where the folder cannot be written everything works as well.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/millwright/compiled', import.meta.url)))
const { run } = await import('./cli/run.ts')

// Whoever reads the output may stop early, as `millwright help | head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// Not exitCode: nothing that is still open may keep a program alive that is done.
process.exit(await run(process.argv.slice(2)))
