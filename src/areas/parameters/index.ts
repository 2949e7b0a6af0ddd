export { isGlobal } from './columns.ts'
export {
  allParameters,
  type EffectiveParameter,
  loadEffectiveParameters,
  selectEffectiveRows,
} from './effective.ts'
export { loadRevealable, loadVisibleParameters, presentParameters } from './hidden.ts'
export { parameterParts, withOtherParameters } from './owner.ts'
export { commonParameters, parameters } from './parameter.ts'
export { readReference, resolveReferences } from './references.ts'
export { ownParamSearch, paramSearch } from './search.ts'
