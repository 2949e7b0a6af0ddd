#!/usr/bin/env node
// The command after `npm install`: the built program, or the sources of a checkout, which Node runs as they are.
import { existsSync } from 'node:fs'

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`Millwright needs Node 24 or newer; this is ${process.versions.node}. In a checkout, use: npm start`)
  process.exit(1)
}

const built = new URL('../dist/main.js', import.meta.url)
await import(existsSync(built) ? built.href : new URL('../src/main.ts', import.meta.url).href)
