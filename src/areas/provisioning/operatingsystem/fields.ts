import { links, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { parameterParts } from '../../parameters/index.ts'
import { DEFAULT_KEYS } from '../os-default-template/os-default-template.ts'
import { OS_FAMILIES } from './families.ts'

const PASSWORD_HASHES = ['MD5', 'SHA256', 'SHA512', 'Base64', 'Base64-Windows'] as const

/** The fields of operating systems (core-api §11). */
export const operatingsystemFields = {
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
}

/** The fields above, by which drafts and rows are typed. */
export type OperatingsystemFields = typeof operatingsystemFields
