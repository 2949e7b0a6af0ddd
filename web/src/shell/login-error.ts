import { isWord, t } from '../words/words.ts'

/** Reads why a login at a provider has failed, and takes it out of the address; null where none has. */
export function readLoginError(): string | null {
  const query = new URLSearchParams(location.search)
  const code = query.get('login_error')
  if (code === null) return null
  query.delete('login_error')
  history.replaceState(history.state, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}`)
  const word = `login.openid.${code}`
  return isWord(word) ? t(word) : t('login.openid.refused')
}
