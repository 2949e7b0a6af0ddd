import { assembleResources } from '../../src/areas/index.ts'
import { routesOf } from '../../src/kernel/routes.ts'

const registry = assembleResources()

/**
 * What is derived from the declarations, shared by all files of a process because nothing changes it. Otherwise each service
 * would derive it again, and zod would compile all schemas again.
 */
export const declared = { registry, declared: routesOf(registry) }
