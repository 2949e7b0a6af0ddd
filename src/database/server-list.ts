/**
 * Splits an address that names several servers in libpq's form, `host1:5432,host2:5432` or `?host=/folder1,/folder2`, into
 * one for each, without `target_session_attrs`, because the primary is looked for here. An address of one server stays as it
 * is.
 */
export function splitServers(url: string): string[] {
  const [, start = '', servers = '', path = '', query] =
    /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)\??(.*)$/s.exec(url) ?? []
  const words = new URLSearchParams(query)
  const named = words.get('host')
  const hosts = (named ?? servers).split(',')
  if (hosts.length === 1) return [url]
  const ports = words.get('port')?.split(',') ?? []
  words.delete('target_session_attrs')
  return hosts.map((host, at) => {
    const own = new URLSearchParams(words)
    const port = ports[at] ?? ports[0]
    if (named !== null) own.set('host', host)
    if (port) own.set('port', port)
    return `${start}${named === null ? host : servers}${path}${own.size > 0 ? `?${own}` : ''}`
  })
}
