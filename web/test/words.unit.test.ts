import { expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { de } from '../src/words/de.ts'
import { en } from '../src/words/en.ts'
import { RESOURCES } from '../src/words/resources.ts'

test('German says all that English says, with the same values in it', () => {
  const places = (words: Readonly<Record<string, string>>) =>
    Object.entries(words).map(
      ([word, text]) => `${word} ${[...text.matchAll(/\{\w+\}/g)].map(String).sort().join(' ')}`,
    )
  expect(places(de).sort()).toEqual(places(en).sort())
  expect(Object.entries(de).filter(([, text]) => text.trim() === '')).toEqual([])
})

test('every resource has a name in both, for one and for many', () => {
  const plurals = [...assembleResources().values()].map(({ plural }) => plural)
  expect(plurals.filter((plural) => RESOURCES[plural]?.filter((name) => name !== '').length !== 4)).toEqual([])
})
