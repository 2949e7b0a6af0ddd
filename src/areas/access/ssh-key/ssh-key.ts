import { hash } from 'node:crypto'
import { isViolationOf } from '../../../database/failures.ts'
import { invalid } from '../../../errors.ts'
import { defineResource, integer, link, text, type WriteWrapper } from '../../../kernel/index.ts'
import { textIn } from '../../../records/text-in.ts'
import type { Language } from '../../../requests/languages.ts'
import { refuseImpersonation } from '../role/escalation.ts'
import { buildOwnerList, limitToOwned } from '../user/owned-records.ts'

const KEYS = ['created_at', 'updated_at', 'id', 'name', 'key', 'length', 'fingerprint', 'user_id']

const NOT_A_KEY = 'must be a public key in the form of OpenSSH, such as ssh-ed25519 AAAA...'

const TAKEN = 'is a key of this user already'

/** Stores the facts of a key beside it, and protects keys: whoever sets those of a user can act as them on machines. */
const guardKeys: WriteWrapper<SshKeyFields> = {
  create: async (ctx, draft, next) => {
    await refuseImpersonation(ctx, draft.user)
    try {
      return await next({ ...draft, ...readPublicKey(draft.key) })
    } catch (error) {
      throw isViolationOf(error, 'ssh_keys_fingerprint_key') ? invalid({ key: [TAKEN] }) : error
    }
  },
  delete: async (ctx, stored, next) => {
    await refuseImpersonation(ctx, stored.user_id)
    await next()
  },
}

const PUBLIC_KEY: Language = {
  name: 'public key',
  findProblem: (key) => (readPublicKey(key) === null ? NOT_A_KEY : null),
}

const fields = {
  name: text({ required: true, search: 'free', doc: 'Unique among the keys of its user.' }),
  key: textIn(PUBLIC_KEY, {
    required: true,
    max: 16_384,
    doc: 'The key as in `authorized_keys`, without options.',
  }),
  fingerprint: text({
    readOnly: true,
    required: true,
    search: 'explicit',
    doc: 'SHA-256 of the key, in base64.',
  }),
  length: integer({ readOnly: true, required: true, doc: 'Length of the key in bits.' }),
  user: link('user', { required: true, readOnly: true, onDelete: 'cascade', doc: 'Its user.' }),
}

type SshKeyFields = typeof fields

/** Public keys of users, at paths below the user. */
export const sshKeys = defineResource({
  name: 'ssh_key',
  summary: 'A public key with which a user logs in to machines.',
  fields: fields,
  operations: ['show', 'create', 'delete'],
  label: 'name',
  views: { list: KEYS, show: KEYS },
  routes: { parents: { user: 'user' }, nestedOnly: true },
  records: { own: limitToOwned, ownOperations: ['list', 'show', 'create', 'delete'] },
  wire: { suggests: true },
  wrapWrite: guardKeys,
  actions: [buildOwnerList('ssh_keys')],
})

/** The facts that can be read from a public key in OpenSSH's format. */
interface PublicKey {
  /** SHA-256 in base64. */
  readonly fingerprint: string
  /** In bits. */
  readonly length: number
}

/** Bits of keys whose kind has a fixed length. */
const LENGTHS: Readonly<Record<string, number>> = {
  'ssh-ed25519': 256,
  'sk-ssh-ed25519@openssh.com': 256,
  'ecdsa-sha2-nistp256': 256,
  'sk-ecdsa-sha2-nistp256@openssh.com': 256,
  'ecdsa-sha2-nistp384': 384,
  'ecdsa-sha2-nistp521': 521,
}

/** Reads a line of `authorized_keys` without options; null when it is malformed (RFC 4253, 6.6). */
function readPublicKey(text: string): PublicKey | null {
  const [, type = '', encoded = ''] = /^([a-z0-9@.-]+) ([A-Za-z0-9+/]+={0,2})(?: [^\r\n]*)?$/.exec(text) ?? []
  const parts = partsOf(Buffer.from(encoded, 'base64'))
  if (parts?.[0]?.toString('latin1') !== type || parts.length < 2) return null
  const length = type === 'ssh-rsa' ? bitsOf(parts[2]) : LENGTHS[type]
  if (length === undefined) return null
  return { fingerprint: hash('sha256', Buffer.from(encoded, 'base64'), 'base64'), length }
}

/** Splits the content of a key into its length-prefixed parts; null when the last part ends elsewhere than the content. */
function partsOf(content: Buffer): readonly Buffer[] | null {
  const parts: Buffer[] = []
  let at = 0
  while (at + 4 <= content.length) {
    const end = at + 4 + content.readUInt32BE(at)
    if (end > content.length) return null
    parts.push(content.subarray(at + 4, end))
    at = end
  }
  return at === content.length ? parts : null
}

/** The number of bits of a modulus, without the zero byte that marks it as positive. */
function bitsOf(modulus: Buffer | undefined): number | undefined {
  if (modulus === undefined || modulus.length === 0) return undefined
  return BigInt(`0x${modulus.toString('hex')}`).toString(2).length
}
