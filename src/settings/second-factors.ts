/** Settings of second factors, of tokens, and of stored logins. */
export const SECOND_FACTOR_SETTINGS = {
  second_factor_required: {
    type: 'string',
    default: 'nobody',
    max: 20,
    allows: (who: string) => ['nobody', 'administrators', 'everybody'].includes(who),
    expected: 'nobody, administrators or everybody',
    category: 'Authentication',
    fullName: 'Second factor required',
    description:
      'Who must have a second factor to log in by password: nobody, administrators or everybody. Tokens need none.',
  },
  second_factor_roles: {
    type: 'array',
    default: [],
    category: 'Authentication',
    fullName: 'Second factor roles',
    description: 'Names of roles whose holders must have a second factor, too.',
  },
  second_factor_grace_days: {
    type: 'integer',
    default: 7,
    min: 0,
    max: 3650,
    category: 'Authentication',
    fullName: 'Second factor grace days',
    description:
      'Days from the first login on in which those who must have a second factor may go without; then they can do nothing but set one up.',
  },
  second_factor_fresh_minutes: {
    type: 'integer',
    default: 15,
    min: 0,
    max: 525_600,
    category: 'Authentication',
    fullName: 'Second factor fresh minutes',
    description:
      'Minutes for which a proof of the second factor suffices to change users, tokens, keys, roles, filters, user groups and sources of users, and to see hidden values, in a session; 0: as long as the session.',
  },
  reveal_reason_required: {
    type: 'boolean',
    default: false,
    category: 'Authentication',
    fullName: 'Reason to reveal required',
    description:
      'Whether users see hidden values only with a reason, which audits keep. Machines need none. Clients that can send none see no hidden values.',
  },
  personal_access_token_days: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 36_500,
    category: 'Authentication',
    fullName: 'Personal access token days',
    description:
      'Days after which a new personal access token ends at the latest; 0: tokens may be without an end. Existing tokens keep their time.',
  },
  login_events_keep: {
    type: 'integer',
    default: 90,
    min: 0,
    max: 36_500,
    category: 'Authentication',
    fullName: 'Keep logins',
    description: 'Days after which stored logins are deleted; 0: never.',
  },
} as const
