import { assembleResources } from '../../src/areas/index.ts'
import { routesOf } from '../../src/kernel/routes.ts'

const registry = assembleResources()

/**
 * What the declarations make, once for all files of a process: it depends on nothing else and nothing changes it. Each
 * service of its own would make it anew, and zod would compile all of its schemas again.
 */
export const declared = { registry, declared: routesOf(registry) }
