export { APPLIED, type AppliedField, applyRegistration } from './apply.ts'
export { AUTHORITY_KEY, openAuthority } from './authority/authority.ts'
export type { Needs } from './authority/entitlements.ts'
export { listFormerAuthorities, storeFormerAuthorities } from './authority/former.ts'
export { bindByNeed, bindPools, releasePools, type WantedPool } from './binding.ts'
export type { Endpoint } from './client/endpoint.ts'
export { uncovered } from './client/uncovered.ts'
export { seenOf } from './client/visibility.ts'
export {
  computeEffectiveRegistration,
  type Decided,
  type EffectiveRegistration,
  isOffered,
} from './effective.ts'
export { storeFormerRegistration } from './former.ts'
export {
  type Pair,
  type RecordName,
  type RegistrationOwner,
  type RequestedAttributes,
  SUBSCRIPTION_ATTRIBUTES,
} from './key.ts'
export {
  findKeysByName,
  findOwnerById,
  loadKeysById,
  parseKeyNames,
  readKeyNames,
  type StoredKey,
} from './keys.ts'
export { VIEW_ENVIRONMENT, VIEW_ENVIRONMENT_LABEL } from './labels.ts'
export { type Circumstances, type KeyRefusal, listKeyRefusals } from './refusals.ts'
export { registerHost } from './register.ts'
export { registrationCommandRoute } from './registration-command/command.ts'
export { endingAfterReset } from './registration-command/ending.ts'
export { createHostRecords } from './registration-command/host-records.ts'
export {
  createClientServing,
  createCommandServing,
} from './registration-command/serving.ts'
export { registrationTokenRoutes } from './registration-command/token-routes.ts'
export { readRegistrationRequest } from './registration-request.ts'
export { deleteOldIdentities } from './tokens.ts'
export { unregister } from './unregister.ts'
