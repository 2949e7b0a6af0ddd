const SMALL = 10

/**
 * Whether so many members would be removed that the directory probably shows too little
 * (docs/decisions/0006-directory-removal.md): more than half of ten or more, or all of several.
 */
export function isMassRemoval(present: number, lost: number): boolean {
  return present >= SMALL ? lost > present / 2 : lost > 1 && lost === present
}
