const NAME = 'millwright_session'

/** Reads the session cookie of a request, under the name `wanted`; null when it has none. */
export function readSessionCookie(header: string | undefined, wanted = NAME): string | null {
  if (!header?.includes(wanted)) return null
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value) return value
  }
  return null
}

/** Formats `Set-Cookie` for a session; `secure` is true if clients use HTTPS. */
export function formatStartCookie(value: string, secure: boolean, name = NAME): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** Formats `Set-Cookie` that deletes the session cookie. */
export function formatEndCookie(): string {
  return `${NAME}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`
}
