import { expect, test } from 'vitest'
import { computeNextDue } from '../../src/areas/server/jobs/schedule.ts'

test('jobs are due at the same minutes every day, in UTC', () => {
  const next = (everyMinutes: number, minutesLater: number, now: string) =>
    computeNextDue({ everyMinutes, minutesLater }, new Date(now)).toISOString().slice(0, 16)
  expect(next(30, 0, '2026-11-20T10:29:59Z')).toBe('2026-11-20T10:30')
  expect(next(30, 0, '2026-11-20T10:30:00Z')).toBe('2026-11-20T11:00')
  expect(next(60, 47, '2026-11-20T10:46:00Z')).toBe('2026-11-20T10:47')
  expect(next(24 * 60, 197, '2026-11-20T03:17:00Z')).toBe('2026-11-21T03:17')
})
