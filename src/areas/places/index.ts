export { limitToOwnTaxonomies } from './own.ts'
export { buildOrganizationContents, buildTreeFacts, buildTreeFields, location, organization } from './taxonomy.ts'
export { loadTrees } from './trees.ts'
