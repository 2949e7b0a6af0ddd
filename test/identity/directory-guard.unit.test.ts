import { expect, test } from 'vitest'
import { isMassRemoval } from '../../src/areas/access/directories/mass-removal.ts'

// docs/decisions/0006-directory-removal.md
test.each([
  ['the only member leaves', 1, 1, false],
  ['one of two leaves', 2, 1, false],
  ['both of two leave', 2, 2, true],
  ['eight of nine leave', 9, 8, false],
  ['all nine leave', 9, 9, true],
  ['half of ten leave', 10, 5, false],
  ['more than half of ten leave', 10, 6, true],
  ['nobody is there', 0, 0, false],
  ['nobody leaves', 100, 0, false],
])('when %s, that is mass removal or not', (_, present, lost, suspicious) => {
  expect(isMassRemoval(present, lost)).toBe(suspicious)
})
