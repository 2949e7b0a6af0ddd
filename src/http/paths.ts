/** Yields the URL with one slash in place of several in its path; the query stays as it is. */
export function joinSlashes(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') + url.slice(path.length) : url
}

/**
 * Converts `/api/v2/x`, `/api/x/` and `/api/x.json` to `/api/x`, and likewise below `/content/api` (core-api §1, §2.1;
 * content-api §0). `/api/openapi.json` keeps its ending, and other paths and the query stay as they are.
 */
export function canonicalizePath(url: string): string {
  if (!/^\/(?:content\/)?api/.test(url)) return url
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  const shorter = path.replace(/^((?:\/content)?\/api)\/v2(?=\/|$)/, '$1').replace(/(?<=[^/])\/$/, '')
  const plain = shorter === '/api/openapi.json' ? shorter : shorter.replace(/(?<=[^/])\.json$/, '')
  return query < 0 ? plain : plain + url.slice(query)
}
