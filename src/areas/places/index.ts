export { contentFields, membersField } from './contents.ts'
export { buildTreeFacts, buildTreeFields, location, organization } from './taxonomy.ts'
export { loadTrees } from './trees.ts'
