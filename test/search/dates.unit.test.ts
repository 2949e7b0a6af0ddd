import { describe, expect, test } from 'vitest'
import { readInterval } from '../../src/search/dates.ts'
import { computeWall, instantOf } from '../../src/search/zones.ts'

// A Tuesday, and a 31st.
const NOW = new Date('2026-03-31T14:25:36Z')

describe('a date in a search', () => {
  test.each([
    ['today', '2026-03-31', '2026-04-01'],
    ['2 days ago', '2026-03-29', '2026-03-30'],
    ['1 month ago', '2026-02-28', '2026-03-01'],
    ['90 minutes ago', '2026-03-31T12:55:36', '2026-03-31T12:56:36'],
    ['2026', '2026-01-01', '2027-01-01'],
    ['2026-03', '2026-03-01', '2026-04-01'],
    ['March', '2026-03-01', '2026-04-01'],
    ['Tuesday', '2026-03-31', '2026-04-01'],
    ['Wednesday', '2026-03-25', '2026-03-26'],
    ['last Tuesday', '2026-03-24', '2026-03-25'],
    ['next Tuesday', '2026-04-07', '2026-04-08'],
    ['next wed', '2026-04-01', '2026-04-02'],
    ['yesterday 10:00', '2026-03-30T10:00:00', '2026-03-30T10:01:00'],
    ['2026-02-30', '2026-03-02', '2026-03-03'],
    ['2026-03-31 10:30:15 +02:00', '2026-03-31T08:30:15', '2026-03-31T08:30:16'],
  ])('%s', (value, from, to) => {
    expect(readInterval(value, NOW, 'UTC')).toMatchObject({ from: utc(from), to: utc(to) })
  })

  test.each([
    '',
    'garbage',
    'constructor',
    'maybe',
    'web01',
    '365',
    '2026-13',
    '24:01',
    '14:00 am',
    'today or tomorrow',
    '1 second ago',
    '0000-01-01',
    '99999999 years ago',
  ])('%j is none', (value) => {
    expect(readInterval(value, NOW, 'UTC')).toBeNull()
  })

  test('is a day of the reader, of 23 hours when clocks are set forward', () => {
    const day = readInterval('2026-03-29', NOW, 'Europe/Berlin')
    expect(day).toMatchObject({ from: utc('2026-03-28T23:00:00'), to: utc('2026-03-29T22:00:00') })
  })

  test('is today where the reader is', () => {
    expect(readInterval('today', NOW, 'Pacific/Auckland')?.from).toEqual(utc('2026-03-31T11:00:00'))
  })
})

describe('the time of a zone', () => {
  test('that is skipped is as much later as was skipped', () => {
    expect(instantOf({ year: 2026, month: 3, day: 29, hour: 2, minute: 30 }, 'Europe/Berlin')).toEqual(
      utc('2026-03-29T01:30:00'),
    )
  })

  test('that occurs twice is the first', () => {
    expect(instantOf({ year: 2026, month: 10, day: 25, hour: 2, minute: 30 }, 'Europe/Berlin')).toEqual(
      utc('2026-10-25T00:30:00'),
    )
  })

  test('is shown with half hours too', () => {
    expect(computeWall(NOW, 'Asia/Kolkata')).toMatchObject({ day: 31, hour: 19, minute: 55, second: 36 })
  })
})

function utc(text: string): Date {
  return new Date(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`)
}
