/** The versions that can be announced to clients, which adapt their requests to them. */
export const VERSIONS = {
  '3.12': { service: '3.12.0', content: '4.14.0' },
  '2.5': { service: '2.5.4', content: '4.1.4' },
} as const

/** The name of a pair of versions that can be announced. */
export type Profile = keyof typeof VERSIONS

/** What is announced. */
export type Versions = (typeof VERSIONS)[Profile]
