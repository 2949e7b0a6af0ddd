import { isViolationOf } from '../../../database/failures.ts'
import { invalid } from '../../../errors.ts'
import { type Around, defineResource, integer, link, text } from '../../../kernel/index.ts'
import { textIn } from '../../../records/text-in.ts'
import type { Language } from '../../../requests/languages.ts'
import { refuseImpersonation } from '../role/escalation.ts'
import { buildOwnerList, limitToOwned } from '../user/owned-records.ts'
import { readPublicKey } from './public-key.ts'

const KEYS = ['created_at', 'updated_at', 'id', 'name', 'key', 'length', 'fingerprint', 'user_id']

const NOT_A_KEY = 'must be a public key in the form of OpenSSH, such as ssh-ed25519 AAAA...'

const TAKEN = 'is a key of this user already'

/** Stores the facts of a key beside it, and protects keys: whoever sets those of a user can act as them on machines. */
const guardKeys: Around<SshKeyFields> = {
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
  around: guardKeys,
  actions: [buildOwnerList('ssh_keys')],
})
