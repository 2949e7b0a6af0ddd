const NAME = 'millwright_session'

/** The session cookie of a request, null when it has none. */
export function sessionCookie(header: string | undefined): string | null {
  if (!header?.includes(NAME)) return null
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === NAME && value) return value
  }
  return null
}

/** `Set-Cookie` for a new session; `secure` where the service is reached by HTTPS. */
export function startCookie(value: string, secure: boolean): string {
  return `${NAME}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** `Set-Cookie` that makes the browser forget it. */
export function endCookie(): string {
  return `${NAME}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`
}
