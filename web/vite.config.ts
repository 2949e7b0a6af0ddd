import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { createGroups } from './build/chunks.ts'
import { importDirectly } from './build/direct-imports.ts'

/**
 * Rules of PatternFly that begin with any element before another one, in other words that mean as much: browsers would compute the
 * style of all rows of a table anew when one is added. Rows that open have another one before them in each of our tables.
 */
const OTHER_WORDS = [
  [/:not\(\.pf-v6-c-table__control-row\)\s*~\s*(\.pf-v6-c-table__expandable-row)/g, '$1$1'],
  [/>\s*\*\s*\+\s*\*/g, '> :where(:not(:first-child))'],
] as const

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Paths are relative to the <base> of the shell, which the service sets when it runs.
  base: './',
  plugins: [importDirectly()],
  css: {
    postcss: {
      plugins: [
        {
          postcssPlugin: 'other-words',
          Rule: (rule) => {
            for (const [words, others] of OTHER_WORDS) rule.selector = rule.selector.replace(words, others)
          },
        },
      ],
    },
  },
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
