import { TIME_ZONE } from '../requests/languages.ts'

/** Settings of clients: what existing playbooks set. Only the time zone changes answers; the others are kept and shown. */
export const CLIENT_SETTINGS = {
  instance_title: {
    type: 'string',
    default: '',
    max: 255,
    category: 'General',
    fullName: 'Instance title',
    description: 'Title by which clients tell this installation from others. The service keeps it for them.',
  },
  default_locale: {
    type: 'string',
    default: '',
    max: 10,
    allows: (locale: string) => locale === '' || /^[a-z]{2}(_[A-Z]{2})?$/.test(locale),
    expected: 'a language such as en or pt_BR',
    category: 'General',
    fullName: 'Default language',
    description:
      'Language of users without one of their own, for clients. The service keeps it; its console follows the browser.',
  },
  default_timezone: {
    type: 'string',
    default: '',
    max: 255,
    language: 'time zone',
    allows: (zone: string) => zone === '' || TIME_ZONE.findProblem(zone) === null,
    expected: 'the name of a time zone such as Europe/Berlin',
    category: 'General',
    fullName: 'Default time zone',
    description: 'Time zone of dates in searches of users without one of their own; blank: UTC.',
  },
  host_power_status: {
    type: 'boolean',
    default: true,
    category: 'General',
    fullName: 'Show host power status',
    description: 'Whether clients show the power of hosts. The service keeps it for them, and knows the power of none.',
  },
  rss_enable: {
    type: 'boolean',
    default: true,
    category: 'General',
    fullName: 'RSS enable',
    description: 'Whether clients show news. The service keeps it for them, and reads none.',
  },
} as const
