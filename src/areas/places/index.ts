export { buildTreeFields } from './contents.ts'
export { limitToOwnTaxonomies } from './own.ts'
export { buildOrganizationContents, buildTreeFacts, location, organization } from './taxonomy.ts'
export { loadTrees } from './trees.ts'
