export { assemble } from './assemble.ts'
export { limitToVisible, notVisible, permissionOf, permitsOwn } from './authorize.ts'
export { type Condition, joinConditions, listTables, ROOT, type SearchGuard } from './condition.ts'
export {
  type Action,
  type CollectionAction,
  type Definition,
  defineResource,
  type Field,
  type FieldPosition,
  type Fields,
  type Handler,
  type ReadableKey,
  type Registry,
  type Resource,
  type Rule,
  type SharedRow,
  type Transform,
  type Wire,
  type WritableKey,
  type WriteWrapper,
} from './definition.ts'
export { buildObjectSchema, link, links, selectNestedObject, selectShown } from './fields/links.ts'
export { boolean, integer, scalar, text, timestamp } from './fields/scalar.ts'
export { secret } from './fields/secret.ts'
export { readAttributes, readDraft, type Validated, validate, validateBody, valuesOf } from './input.ts'
export { runAction } from './operations/action.ts'
export {
  assertWritable,
  causeOf,
  labelOf,
  lock,
  readAuditedValues,
  readBack,
  recordAudit,
  recordWhole,
  storeChange,
  withFieldErrors,
} from './operations/change.ts'
export { create, createRecord } from './operations/create.ts'
export { remove, removeStored } from './operations/delete.ts'
export {
  findLocked,
  findParent,
  findRecord,
  limitToVisibleParents,
  notFoundFor,
  resolveParents,
} from './operations/find.ts'
export { type ListAnswer, list } from './operations/list.ts'
export { applyShown, createPresenter, selectView, show } from './operations/show.ts'
export { listChanged, refuseSendingElsewhere, update, updateStored } from './operations/update.ts'
export type { Draft, InColumn, Link, NewDraft, Operation, Required, Row, Sent, Stored, Unstored } from './record.ts'
export { findByLabel, findIds, findReferences, referenceNotFound } from './reference.ts'
export { findResource, listLinks, singularOf, typeOf } from './resources.ts'
export { permissionsOf, routesOf } from './routes.ts'
export { buildRecordSchema } from './schemas.ts'
export {
  hasOwnColumn,
  limitToGranted,
  limitToMembers,
  limitToScope,
  linkTableOf,
  TAXONOMIES,
  type Taxonomy,
  taxonomiesOf,
} from './scope.ts'
export { compileRequestSearch, refuseBadSearch } from './searching.ts'
export {
  findReadableKey,
  lockStored,
  pageStatementOf,
  readStored,
  recordStatementOf,
  selectPage,
  selectRecord,
  selectWholeRow,
} from './store/select.ts'
export { describeUsers } from './store/usage.ts'
export { insertRecord, selectChanged, updateRecord, type Values } from './store/write.ts'
export { isReadable, searchOptionsOf } from './stored-search.ts'
export { limitToReachable, listNamed } from './visibility.ts'
