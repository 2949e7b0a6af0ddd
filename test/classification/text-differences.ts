import type { RecordedResolution } from './recorded.ts'

/** Why the match texts or attribute texts of a host differ from the recorded ones; each of these covers some. */
export const TEXT_RULES: readonly {
  readonly id: string
  readonly sentence: string
  readonly covers: (record: RecordedResolution) => boolean
}[] = [
  {
    id: 'inherited-part',
    sentence:
      'The parents of a host group, organization or location replace that part of a match text; on the recorded server the first part whose name ends so.',
    covers: ({ parameter }) => /(my_location|x_hostgroup),/.test(parameter.override_value_order),
  },
  {
    id: 'own-lines',
    sentence:
      'The match texts of a parameter are those of its own order; on the recorded server of all parameters of the host.',
    covers: ({ neighbours }) => neighbours !== undefined,
  },
  {
    id: 'nameable',
    sentence:
      'A text with a comma or an equals sign is tried by nobody: a host could otherwise say of itself what other matchers ask.',
    covers: ({ host }) => /[,=]/.test(host.comment ?? ''),
  },
  {
    id: 'owner-blank',
    sentence:
      'An owner with one name is that name; on the recorded server a blank follows, which no match text can have.',
    covers: ({ host }) => host.owner?.firstname === 'Op',
  },
  {
    id: 'text-of-structure',
    sentence:
      'The text of a host parameter that is a list or map is its JSON; on the recorded server a dump of its language.',
    covers: ({ host }) => Object.values(host.parameters).some((value) => value !== null && typeof value === 'object'),
  },
]
