/** The attributes that a parameter or matcher is refused for, with the words that begin its sentences (smart-parameters §1.6, §2.3). */
const LABELS = {
  match: 'Match',
  value: 'Value',
  default_value: 'Default value',
  override_values: 'Lookup values',
  override: 'Override',
  parameter_type: 'Key type',
  validator_type: 'Validator type',
  validator_rule: 'Validator rule',
  merge_overrides: 'Merge overrides',
  merge_default: 'Merge default',
  avoid_duplicates: 'Avoid duplicates',
} as const

/** Why a parameter or matcher is refused: the field, and what its sentence says of it. */
export interface Refusal {
  readonly field: keyof typeof LABELS
  readonly text: string
  /** What to say at the field, where the sentence is the contract's and says too little. */
  readonly more?: string
}

/** Writes the sentence of a refusal in the words of the contract. */
export function formatRefusal({ field, text }: Refusal): string {
  return `${LABELS[field]} ${text}`
}
