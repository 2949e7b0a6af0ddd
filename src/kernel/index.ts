export { assemble } from './assemble.ts'
export { causeOf, readAuditedValues, recordAudit } from './audit.ts'
export { limitToVisible, notVisible, permissionOf, permitsOwn } from './authorize.ts'
export { type Condition, joinConditions, listTables, ROOT, type SearchGuard } from './condition.ts'
export { withFieldErrors } from './constraints.ts'
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
export { listChanged, refuseSendingElsewhere } from './destinations.ts'
export { buildObjectSchema, link, selectNestedObject, selectShown } from './fields/link.ts'
export { links } from './fields/links.ts'
export { boolean, integer, scalar, timestamp } from './fields/scalar.ts'
export { secret } from './fields/secret.ts'
export { text } from './fields/text.ts'
export { readAttributes, readDraft, type Validated, validate, validateBody, valuesOf } from './input.ts'
export { runAction } from './operations/action.ts'
export { assertWritable, labelOf, lock, recordWhole, storeChange } from './operations/change.ts'
export { create, createRecord } from './operations/create.ts'
export { remove, removeStored } from './operations/delete.ts'
export { findLocked, findRecord, notFoundFor } from './operations/find.ts'
export { type ListAnswer, list } from './operations/list.ts'
export { findParent, limitToVisibleParents, resolveParents } from './operations/parents.ts'
export { readBack, show } from './operations/show.ts'
export { update, updateStored } from './operations/update.ts'
export { applyShown, createPresenter, findReadableKey, selectView } from './present.ts'
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
