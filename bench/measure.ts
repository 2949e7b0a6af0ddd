import type { Generator, Load } from './processes.ts'

/** Something to send to a server, again and again. */
export interface Subject {
  readonly port: number
  readonly requests: readonly string[]
}

export interface Speed {
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

export interface Pace {
  readonly connections: number
  readonly rounds: number
  /** Of one burst. */
  readonly seconds: number
  readonly isQuick: boolean
}

/** A GET as it goes over the wire. */
export function get(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n\r\n`
}

// In bursts. What is asked first of a new process is asked of a program that is still being compiled, beside the load.
const WARM_UP = 5

/**
 * The speed of each subject, in turns: the machine's moods meet all of them alike. A burst nobody looks at warms each up.
 * Requests/s are the median of the rounds, latencies those of all rounds.
 */
export async function compare(generator: Generator, subjects: readonly Subject[], pace: Pace): Promise<Speed[]> {
  const { connections, rounds, seconds } = pace
  const burst = (subject: Subject) => generator.run({ ...subject, connections, seconds })
  for (const subject of subjects) await generator.run({ ...subject, connections, seconds: seconds * WARM_UP })
  const loads: Load[][] = subjects.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) loads[index]?.push(await burst(subject))
  }
  return loads.map(speedOf)
}

function speedOf(loads: readonly Load[]): Speed {
  const latencies = loads.flatMap((load) => load.latencies)
  return {
    requestsPerSecond: quantile(
      loads.map((load) => load.requestsPerSecond),
      0.5,
    ),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

/** The value that the given part of all values does not exceed; 0 of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
