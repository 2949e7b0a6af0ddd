const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether text is a valid host name; other text must not get into command lines or requests to proxies. */
export function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => LABEL.test(label))
}
