/** `/api/v2/x`, `/api/x/` and `/api/x.json` are `/api/x`, and so below `/content/api` (core-api §1, §2.1; content-api §0). */
export function canonicalPath(url: string): string {
  if (!/^\/(?:content\/)?api/.test(url)) return url
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  const shorter = path.replace(/^((?:\/content)?\/api)\/v2(?=\/|$)/, '$1').replace(/(?<=[^/])\/$/, '')
  const plain = shorter === '/api/openapi.json' ? shorter : shorter.replace(/(?<=[^/])\.json$/, '')
  return query < 0 ? plain : plain + url.slice(query)
}
