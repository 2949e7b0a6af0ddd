const SMALL = 10

/**
 * Whether so many would go that a directory that shows less than it should is the better explanation
 * (docs/decisions/0006-directory-removal.md): more than half of ten or more, or all of several.
 */
export function isMassRemoval(present: number, lost: number): boolean {
  return present >= SMALL ? lost > present / 2 : lost > 1 && lost === present
}
