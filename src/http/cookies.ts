const NAME = 'millwright_session'

/** The session cookie of a request, null when it has none; `wanted` where it goes by another name. */
export function readSessionCookie(header: string | undefined, wanted = NAME): string | null {
  if (!header?.includes(wanted)) return null
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value) return value
  }
  return null
}

/** `Set-Cookie` for a new session; `secure` where the service is reached by HTTPS. */
export function formatStartCookie(value: string, secure: boolean, name = NAME): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** `Set-Cookie` that makes the browser forget it. */
export function formatEndCookie(): string {
  return `${NAME}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`
}
