import { createReader, type Options, type TemplateFunction } from '../../src/templates/index.ts'

const PARAMETERS = new Map([['tier', 'gold']])

const hostParam: TemplateFunction = ({ args: [name, otherwise] }) => PARAMETERS.get(String(name)) ?? otherwise

/** The variables and functions of the templates in these tests; peer.rb provides equal ones. */
export const WORLD: Options = {
  variables: {
    '@host': createReader('host', { name: 'n1.lab.test', domain: 'lab.test', params: PARAMETERS }, 'n1.lab.test'),
  },
  functions: { host_param: hostParam },
}
