#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Keeps compiled sources for the next start, which then takes half the time and a fifth less memory. A folder that
// cannot be written does no harm.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/millwright/compiled', import.meta.url)))
const { run } = await import('./cli/run.ts')

// The reader of the output may stop early, as in `millwright help | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// Not `exitCode`: open handles must not keep a finished program alive.
process.exit(await run(process.argv.slice(2)))
