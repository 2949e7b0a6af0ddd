/** Stands in answers for a value that the caller may not see. */
export const HIDDEN = '*****'
