import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { createGroups } from './build/chunks.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Paths are relative to the <base> of the shell, which the service sets when it runs.
  base: './',
  build: {
    target: 'es2023',
    // It stands in the way of Trusted Types, and every browser that the console is for preloads modules by itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Read by build/preloads.ts, and not part of what is served.
    manifest: 'manifest.json',
    rolldownOptions: { output: { codeSplitting: { groups: createGroups() } } },
    emptyOutDir: true,
  },
})
