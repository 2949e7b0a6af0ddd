import { children, links, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

const FAMILIES = [
  'AIX',
  'Altlinux',
  'Archlinux',
  'Coreos',
  'Debian',
  'Fcos',
  'Flatcar',
  'Freebsd',
  'Gentoo',
  'Junos',
  'NXOS',
  'Rancheros',
  'Redhat',
  'Rhcos',
  'Solaris',
  'Suse',
  'VRP',
  'Windows',
  'Xenserver',
] as const
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

/** Core-api §11. */
export const operatingsystems = defineResource({
  name: 'operatingsystem',
  summary: 'An operating system that hosts are provisioned with.',
  fields: {
    name: text({
      required: true,
      pattern: { regexp: /^\S*$/u, message: "can't contain spaces." },
      search: 'free',
      doc: 'Without blanks, for example Debian.',
    }),
    major: text({
      required: true,
      max: 5,
      pattern: { regexp: /^\d+$/, message: 'is not a number' },
      search: 'free',
      doc: 'Major version, digits only.',
    }),
    minor: text({ max: 16, blank: '', search: 'free', doc: 'Minor version, may be blank.' }),
    description: text({ search: 'free', doc: 'What people call it; the title when it is set.' }),
    title: text({ readOnly: true, required: true, search: 'free', doc: 'The description, or else name and version.' }),
    family: text({ oneOf: FAMILIES, search: 'free', doc: 'Decides how it is installed.' }),
    release_name: text({ doc: 'Code name; needed for the Debian family.' }),
    password_hash: text({ oneOf: PASSWORD_HASHES, blank: 'SHA512', doc: 'How root passwords are hashed.' }),
    architectures: links('architecture', {
      through: 'architecture_operatingsystems',
      show: ['name', 'id'],
      search: true,
      doc: 'Architectures it runs on.',
    }),
    images: children('image', { doc: 'Images made with it.' }),
  },
  label: 'title',
  views: { list: KEYS, show: [...KEYS, 'architectures', 'images'] },
  parents: { architecture: 'architectures' },
  rules: [
    ({ family, release_name }) =>
      family === 'Debian' && !release_name ? { release_name: ["can't be blank"] } : undefined,
  ],
})
