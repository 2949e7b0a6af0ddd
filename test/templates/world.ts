import { type Options, reader, type TemplateFunction } from '../../src/templates/index.ts'

const PARAMETERS = new Map([['tier', 'gold']])

const hostParam: TemplateFunction = ({ args: [name, otherwise] }) => PARAMETERS.get(String(name)) ?? otherwise

/** What the templates of these tests are given; peer.rb gives the same. */
export const WORLD: Options = {
  variables: {
    '@host': reader('host', { name: 'n1.lab.test', domain: 'lab.test', params: PARAMETERS }, 'n1.lab.test'),
  },
  functions: { host_param: hostParam },
}
