import { resolve } from 'node:path'

const SOURCES = resolve(import.meta.dirname, '../src')
const SHELL = resolve(SOURCES, 'app/main.tsx')
const START = resolve(SOURCES, 'pages/dashboard/page.tsx')
const LISTS = resolve(SOURCES, 'resources/list')

/** What the bundler knows of its modules. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/**
 * Creates the groups of modules that are one file each: what every page and the first one need, what lists
 * share with other pages, and the components that remain.
 * Browsers load six files at a time, so that many small ones wait for each other. All else is split where pages are loaded.
 */
export function createGroups() {
  const reachShell = createReach(SHELL)
  const reachStart = createReach(START)
  const reachList = createReach(resolve(LISTS, 'page.tsx'))
  // The entry keeps its style sheets: what is the console's own comes after that of components.
  const isOfEntry = (id: string) => id === SHELL || /\/app\/app\.css|\/styles\/base\.css/.test(id)
  const groupOf = (name: string, has: (id: string, graph: Graph) => boolean) => (id: string, graph: Graph) =>
    !isOfEntry(id) && has(id, graph) ? name : null
  return [
    {
      priority: 2,
      name: groupOf(
        'shell',
        (id, graph) => reachShell(graph).has(id) || (isOfLibrary(id) && reachStart(graph).has(id)),
      ),
    },
    { priority: 1, name: groupOf('common', (id, graph) => !id.startsWith(LISTS) && reachList(graph).has(id)) },
    { priority: 0, name: groupOf('parts', isOfComponents) },
  ]
}

const isOfLibrary = (id: string) => id.includes('/node_modules/')
const isOfComponents = (id: string) => id.includes('/node_modules/@patternfly/')

/** Creates a function that lists the modules without which one cannot run; it looks once. */
function createReach(root: string): (graph: Graph) => ReadonlySet<string> {
  let found: ReadonlySet<string> | null = null
  return (graph) => {
    found ??= modulesOf(root, graph)
    return found
  }
}

/** Lists the modules that one needs before it can run. */
function modulesOf(root: string, graph: Graph): ReadonlySet<string> {
  const found = new Set([root])
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
