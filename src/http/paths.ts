/** `/api/v2/x`, `/api/x/` and `/api/x.json` are `/api/x` (core-api §1, §2.1). */
export function canonicalPath(url: string): string {
  if (!url.startsWith('/api')) return url
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  const shorter = path.replace(/^\/api\/v2(?=\/|$)/, '/api').replace(/(?<=[^/])\/$/, '')
  const plain = shorter === '/api/openapi.json' ? shorter : shorter.replace(/(?<=[^/])\.json$/, '')
  return query < 0 ? plain : plain + url.slice(query)
}
