/** What stands where there is a value that the caller may not see. */
export const HIDDEN = '*****'
