export { contentFields, membersField } from './contents.ts'
export { location, organization, treeFacts, treeFields } from './taxonomy.ts'
