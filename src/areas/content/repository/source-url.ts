import type { Language } from '../../../requests/languages.ts'

const SCHEMES = /^(?:https?|ftp|uln|file):$/
const NOT_ADDRESS = 'must be an address that begins with http://, https://, ftp://, uln:// or file://'

/** Where a repository gets its content from. */
export const SOURCE_URL: Language = {
  name: 'URL',
  findProblem: (url) => {
    const parsed = URL.parse(url)
    if (!parsed || /\s/.test(url) || !SCHEMES.test(parsed.protocol)) return NOT_ADDRESS
    if (parsed.protocol !== 'file:' && parsed.hostname === '') return NOT_ADDRESS
    return parsed.username || parsed.password ? 'must not have a user name or password in it' : null
  },
}
