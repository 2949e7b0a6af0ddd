export { openNumbering } from './feed/numbering.ts'
export { eventRoutes } from './feed/routes.ts'
