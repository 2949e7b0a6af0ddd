import type { Generator, Load } from './processes.ts'

/** A server and a request to measure. */
export interface Subject {
  readonly port: number
  readonly requests: readonly string[]
}

export interface Speed {
  readonly requestsPerSecond: number
  /** Latency in milliseconds. */
  readonly p50: number
  readonly p99: number
}

export interface Pace {
  readonly connections: number
  readonly rounds: number
  /** The length of one burst. */
  readonly seconds: number
  readonly isQuick: boolean
}

/** Formats a GET request. */
export function get(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n\r\n`
}

// The number of warm-up bursts: code that is not compiled yet answers the first ones.
const WARM_UP = 5

/**
 * Measures the speed of each subject in turns, so that changes of the machine's speed affect all alike, after a warm-up.
 * Requests/s are the median of the rounds, latencies those of all rounds.
 */
export async function compare(generator: Generator, subjects: readonly Subject[], pace: Pace): Promise<Speed[]> {
  const { connections, rounds, seconds } = pace
  const runBurst = (subject: Subject) => generator.run({ ...subject, connections, seconds })
  for (const subject of subjects) await generator.run({ ...subject, connections, seconds: seconds * WARM_UP })
  const loads: Load[][] = subjects.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) loads[index]?.push(await runBurst(subject))
  }
  return loads.map(speedOf)
}

function speedOf(loads: readonly Load[]): Speed {
  const latencies = loads.flatMap((load) => load.latencies)
  return {
    requestsPerSecond: computeQuantile(
      loads.map((load) => load.requestsPerSecond),
      0.5,
    ),
    p50: computeQuantile(latencies, 0.5),
    p99: computeQuantile(latencies, 0.99),
  }
}

/** Yields the value below which this part of all values lies; 0 of none. */
export function computeQuantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
