// The first match counts, because browsers also name older ones.
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg\w*\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*Safari\//],
]
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\biPhone|iPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/**
 * Describes a browser by its user agent, such as "Firefox 140, Linux"; another program's text is left as it is. Null without
 * one.
 */
export function describeProgram(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '') return null
  const browser = BROWSERS.map(([name, pattern]) => [name, pattern.exec(userAgent)?.[1]].join(' ')).find((one) =>
    /\d$/.test(one),
  )
  if (browser === undefined) return userAgent
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return system === undefined ? browser : `${browser}, ${system}`
}
