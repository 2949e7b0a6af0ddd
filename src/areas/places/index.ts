export { contentFields, membersField } from './contents.ts'
export { location, organization, treeFacts, treeFields } from './taxonomy.ts'
export { loadTrees } from './trees.ts'
