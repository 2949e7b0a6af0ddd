import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const LIBRARY = '@patternfly/react-core'
const IMPORT = new RegExp(`import \\{([^}]*)\\} from '${LIBRARY}';?`, 'g')

/**
 * Imports each component of PatternFly from its own module. The library's index imports all of them, and the bundler could not
 * tell which ones a page needs.
 */
export function importDirectly() {
  const { resolve } = createRequire(import.meta.url)
  const modules: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(resolve(`${LIBRARY}/dist/dynamic-modules.json`), 'utf8'),
  )
  const pathOf = (name: string): string => {
    const path = modules[name]?.replace('/dynamic/', '/esm/')
    if (path === undefined) throw new Error(`${LIBRARY} does not export ${name}`)
    return `${LIBRARY}/${path}${path.includes('/components/') || path.includes('/layouts/') ? '/index.js' : '.js'}`
  }
  const importEach = (list: string) =>
    list
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '' && !one.startsWith('type '))
      .map((one) => `import { ${one} } from '${pathOf(one.split(' ')[0] ?? one)}'`)
      .join(';')
  return {
    name: 'direct-imports',
    // Before the words of the source are changed.
    enforce: 'pre' as const,
    transform: (code: string) =>
      code.includes(`'${LIBRARY}'`) ? code.replace(IMPORT, (_whole, list: string) => importEach(list)) : null,
  }
}
