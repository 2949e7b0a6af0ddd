import { attributesOf, type HostFacts } from '../../src/classification/attributes.ts'
import type { Parameter } from '../../src/classification/parameter.ts'
import type { ResolvedHost, Rules } from '../../src/classification/resolve.ts'
import type { Value } from '../../src/classification/values.ts'

/** The default order of settings. */
export const ORDER = 'fqdn\nhostgroup\nos\ndomain'

/** Matchers by match text: the value, or an omission with or without one. */
export type GivenMatchers = Readonly<Record<string, Value | { readonly omit: true; readonly value: Value }>>

/** A text parameter of class web with the default order, and what differs from that. */
export function parameter(facts: Partial<Parameter> = {}, matchers: GivenMatchers = {}): Parameter {
  return {
    id: 7,
    name: 'p',
    classId: 1,
    className: 'web',
    type: 'string',
    defaultValue: null,
    omit: false,
    required: false,
    mergeOverrides: false,
    mergeDefault: false,
    avoidDuplicates: false,
    order: ORDER,
    validator: null,
    matchers: Object.entries(matchers).map(([match, given], index) => {
      if (given !== null && typeof given === 'object' && 'omit' in given)
        return { id: index + 1, match, value: given.value, omit: true }
      return { id: index + 1, match, value: given as Value, omit: false } // what is left of the union
    }),
    ...facts,
  }
}

/** The host of the worked examples, and what differs from that. */
export function host(facts: Partial<HostFacts> = {}): ResolvedHost {
  return {
    attributes: attributesOf({ ...EXAMPLE, ...facts }),
    parameters: new Map([['tier', 'gold']]),
    facts: new Map([
      ['is_virtual', 'true'],
      ['networking::ip', '10.0.0.5'],
    ]),
    classes: [1],
  }
}

/** Inheritance on; templates yield what `rendered` says, and fail otherwise. */
export function rules(rendered: Readonly<Record<string, string>> = {}, inheritance = true): Rules {
  return {
    inheritance,
    render: (text) => {
      const result = rendered[text]
      if (result === undefined) throw new Error(`undefined local variable in ${text}`)
      return result
    },
  }
}

const EXAMPLE: HostFacts = {
  fqdn: 'n1.lab.test',
  certname: null,
  hostgroup: 'Base/Web/Edge',
  organization: 'Acme/Ops',
  location: 'EU/Ams',
  operatingsystem: { name: 'Debian', major: '12', minor: '4', description: null },
  owner: null,
  domain: 'lab.test',
  environment: 'production',
  architecture: 'x86_64',
  model: null,
  realm: null,
  medium: null,
  ptable: null,
  owner_type: null,
  provision_method: 'build',
  configmaster: null,
  subnet: null,
  subnet6: null,
  comment: 'canary',
  ip: '10.0.0.5',
  ip6: null,
  mac: null,
  build: false,
  managed: true,
  enabled: true,
  ids: { hostgroup: 3 },
}
