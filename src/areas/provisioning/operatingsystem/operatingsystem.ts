import { defineResource, links, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { searchByLinked } from '../../../records/linked-search.ts'
import { HIDDEN_QUERY, ownParamSearch, parameterParts, presentParameters } from '../../parameters/index.ts'
import { DEFAULT_KEYS } from '../os-default-template/os-default-template.ts'
import { bootfiles } from './bootfiles.ts'
import { OS_FAMILIES } from './families.ts'
import { operatingsystemWrites } from './version.ts'

const PASSWORD_HASHES = ['MD5', 'SHA256', 'SHA512', 'Base64', 'Base64-Windows'] as const

const KEYS = [
  'description',
  'major',
  'minor',
  'family',
  'release_name',
  'password_hash',
  'created_at',
  'updated_at',
  'id',
  'name',
  'title',
]

/** Operating systems (core-api §11). */
export const operatingsystems = defineResource({
  name: 'operatingsystem',
  summary: 'An operating system that hosts are provisioned with.',
  fields: {
    name: text({
      required: true,
      pattern: { regexp: /^\S*$/u, message: "can't contain spaces." },
      search: 'free',
      doc: 'Without spaces, for example Debian.',
    }),
    major: text({
      required: true,
      max: 5,
      pattern: { regexp: /^\d+(\.\d+)?$/, message: 'is not a number' },
      search: 'free',
      doc: 'Major version, a number such as 12 or 22.04.',
    }),
    minor: text({
      max: 16,
      blank: '',
      pattern: { regexp: /^(\d+(\.\d+)*)?$/, message: 'Operating System minor version must be in N or N.N format' },
      search: 'free',
      doc: 'Minor version, may be blank.',
    }),
    description: text({ search: 'free', doc: 'Description; used as the title if set.' }),
    title: text({
      readOnly: true,
      required: true,
      search: 'free',
      doc: 'The description, or name and version if it is blank.',
    }),
    family: text({
      oneOf: OS_FAMILIES,
      search: 'free',
      doc: 'Decides on the installation method; deduced from the name of a new one where possible.',
    }),
    release_name: text({ doc: 'Code name; required for the Debian family.' }),
    password_hash: text({ oneOf: PASSWORD_HASHES, blank: 'SHA512', doc: 'Hash method of root passwords.' }),
    architectures: links('architecture', {
      through: 'architecture_operatingsystems',
      show: ['name', 'id'],
      search: true,
      doc: 'Architectures it runs on.',
    }),
    media: links('medium', {
      through: 'medium_operatingsystems',
      search: true,
      doc: 'Installation media from which it can be installed.',
    }),
    ptables: links('ptable', { through: 'operatingsystem_ptables', doc: 'Partition tables for it.' }),
    provisioning_templates: links('provisioning_template', {
      through: 'template_operatingsystems',
      other: 'template_id',
      show: ['id', 'name', 'template_kind_id', 'template_kind_name'],
      doc: 'Provisioning templates that can install it.',
    }),
    os_default_templates: children('os_default_template', {
      show: DEFAULT_KEYS,
      doc: 'Default templates of its hosts, one per kind.',
    }),
    images: children('image', { doc: 'Images with this operating system.' }),
    parameters: parameterParts('operatingsystem'),
  },
  label: 'title',
  search: [
    ownParamSearch('operatingsystem'),
    searchByLinked('template', {
      through: 'template_operatingsystems',
      own: 'operatingsystem_id',
      other: 'template_id',
      table: 'templates',
      resource: 'provisioning_template',
    }),
  ],
  views: {
    query: HIDDEN_QUERY,
    list: KEYS,
    show: [
      ...KEYS,
      'media',
      'architectures',
      'ptables',
      'provisioning_templates',
      'os_default_templates',
      'images',
      'parameters',
    ],
    shown: presentParameters,
  },
  routes: {
    parents: {
      architecture: 'architectures',
      medium: 'media',
      ptable: 'ptables',
      provisioning_template: 'provisioning_templates',
    },
  },
  rules: [
    // One whose family was deduced may lack the name, and keeps lacking it until somebody says either.
    ({ family, release_name }, _draft, _ctx, stored) =>
      family === 'Debian' && !release_name && (stored?.family !== family || stored.release_name)
        ? { release_name: ["can't be blank"] }
        : undefined,
  ],
  around: operatingsystemWrites,
  actions: [bootfiles],
})
