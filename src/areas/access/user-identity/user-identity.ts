import type { Context } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { defineResource, link, text, type WriteWrapper } from '../../../kernel/index.ts'
import { endSessionsOfIdentity } from '../openid/sessions.ts'
import { buildOwnerList, limitToOwned } from '../user/owned-records.ts'

const KEYS = ['created_at', 'updated_at', 'id', 'subject', 'auth_source_oidc', 'user_id']

const fields = {
  subject: text({
    required: true,
    search: 'free',
    doc: 'Claim `sub` of the person at the provider: it never changes, while logins and addresses do.',
  }),
  auth_source_oidc: link('auth_source_oidc', {
    required: true,
    onDelete: 'cascade',
    show: ['id', 'name'],
    doc: 'Id of the provider.',
  }),
  user: link('user', { required: true, readOnly: true, onDelete: 'cascade', doc: 'The user here.' }),
}

/** Keeps links to administrators: whoever the provider knows under the subject can log in as the user. */
const guardIdentities: WriteWrapper<typeof fields> = {
  create: async (ctx, draft, next) => {
    refuseOthers(ctx)
    return next(draft)
  },
  delete: async (ctx, stored, next) => {
    if (stored.user_id !== ctx.user.id) refuseOthers(ctx)
    await endSessionsOfIdentity(ctx.db, stored.id)
    await next()
  },
}

function refuseOthers(ctx: Context): void {
  if (!ctx.user.admin)
    throw invalid({ base: ['Links to providers are made by administrators, or by the user logging in twice'] })
}

/** Links between users and the people that providers know, at paths below the user. */
export const userIdentities = defineResource({
  name: 'user_identity',
  words: { plural: 'user_identities' },
  summary: 'A link between a user and a person at a provider of OpenID Connect.',
  fields,
  operations: ['show', 'create', 'delete'],
  label: 'subject',
  views: { list: KEYS, show: KEYS },
  routes: { parents: { user: 'user' }, nestedOnly: true, invalidates: 'identities' },
  records: { own: limitToOwned, ownOperations: ['list', 'show', 'delete'] },
  wrapWrite: guardIdentities,
  actions: [buildOwnerList('user_identities')],
})
