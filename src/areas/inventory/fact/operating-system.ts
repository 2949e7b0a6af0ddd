import { familyOf } from '../system-family.ts'

/** An operating system according to facts. */
export interface OperatingSystem {
  readonly name: string
  readonly major: string
  readonly minor: string
  readonly family: string | null
  readonly description: string | null
  readonly release_name: string | null
}

/** Finds the first of several facts that has a value. */
export type First = (...names: string[]) => string | null

/**
 * Reads the operating system from its full release, because the parts that agents make of it lose digits (7.9.2009). What
 * an operating system cannot have here is left out; null without a name or without any number.
 */
export function readOperatingSystem(first: First): OperatingSystem | null {
  const told = readName(first)
  if (told === null) return null
  const better = ownKernelOf(first) ?? derivativeOf(told, first)
  const name = better?.name ?? told
  const version = splitVersion(name, better?.release ?? releaseOf(name, first))
  if (version === null) return null
  const family = familyOf(name)
  return {
    name,
    ...version,
    family,
    description: describe(name, version, first('os::distro::description', 'lsbdistdescription')),
    // Only Debian's family is installed by its code name, and cannot be without one.
    release_name:
      family === 'Debian' ? (takeIfShort(first('os::distro::codename', 'lsbdistcodename')) ?? 'unknown') : null,
  }
}

/** Reads the name, without blanks, which no name can have here: playbooks say `openSUSE Leap`. */
function readName(first: First): string | null {
  const name = takeIfShort(first('os::name', 'operatingsystem')?.replace(/\s+/gu, '') ?? null)
  if (name === 'windows' && first('os::windows::installation_type', 'windows_installation_type') === 'Client') {
    return 'windows_client'
  }
  // Only CentOS Stream has releases of one number.
  return name === 'CentOS' && /^\d+$/.test(first('os::release::full') ?? '') ? 'CentOS_Stream' : name
}

/** What other facts than those about the system tell of it. */
interface BetterKnown {
  readonly name: string
  readonly release: string
}

/** Kernels of SUSE, newest first, by the major release of the system that has them. */
const SUSE_KERNELS: readonly (readonly [kernel: RegExp, major: string])[] = [
  [/^(?:5|6)\./, '15'],
  [/^4\.12\.14-(?:9[45]|1[12]\d)\./, '12'],
  [/^4\.12\./, '15'],
  [/^(?:3\.12|4\.4)\./, '12'],
  [/^(?:2\.6|3\.0)\./, '11'],
]

/**
 * Old agents that do not know a system take the release of its Linux kernel for that of the system, or have none. Some kernels
 * say whose they are. Null where the system has a release of its own.
 */
function ownKernelOf(first: First): BetterKnown | null {
  const kernel = first('kernelrelease')
  if (kernel === null || first('kernel') !== 'Linux' || kernel !== (fullReleaseOf(first) ?? kernel)) return null
  const amazon = /\.amzn(\d+)\b/.exec(kernel)?.[1]
  if (amazon !== undefined) return { name: 'Amazon', release: amazon }
  const suse = kernel.endsWith('-default') && SUSE_KERNELS.find(([its]) => its.test(kernel))
  return suse ? { name: 'SLES', release: suse[1] } : null
}

/** What is made of a Debian that is still tested, `buster/sid`, may have a name and a release of its own. */
function derivativeOf(told: string, first: First): BetterKnown | null {
  const [name, release] = [first('os::distro::id', 'lsbdistid'), first('os::distro::release::full', 'lsbdistrelease')]
  if (told !== 'Debian' || /\d/.test(fullReleaseOf(first) ?? '') || name === null || release === null) return null
  return name === told ? null : { name: name.replace(/\s+/gu, ''), release }
}

function fullReleaseOf(first: First): string | null {
  return first('os::release::full', 'operatingsystemrelease')
}

/** Yields the text of the release that has the version in it, which some systems write in a way of their own. */
function releaseOf(name: string, first: First): string {
  const parts = [first('os::release::major', 'operatingsystemmajrelease'), first('os::release::minor')]
  const full = fullReleaseOf(first) ?? parts.filter((part) => part !== null).join('.')
  if (/windows/i.test(name)) return first('kernelrelease') ?? full
  if (/^archlinux/i.test(name)) return '1.0' // it has no releases
  if (/^aix/i.test(name)) return full.replace(/^(\d+)-(\d+)-(\d+).*$/, '$1.$2$3') // 7100-04-02-1614
  if (/^solaris/i.test(name)) return full.replace('_u', '.')
  if (/^junos/i.test(name)) return full.replace('R', '.')
  return /debian/i.test(name) ? debianReleaseOf(full, first) : full
}

const DEBIANS: Readonly<Record<string, string>> = {
  jessie: '8',
  stretch: '9',
  buster: '10',
  bullseye: '11',
  bookworm: '12',
  trixie: '13',
  forky: '14',
  duke: '15',
}
const DEBIAN_TESTING = '13'

/** The release of Debian, which has only a name as long as it is tested: `trixie/sid`. */
function debianReleaseOf(full: string, first: First): string {
  if (/\d/.test(full)) return full
  const words = `${full}/${first('os::distro::codename', 'lsbdistcodename') ?? ''}`.toLowerCase().split('/')
  const named = words.map((word) => DEBIANS[word]).find((release) => release !== undefined)
  return named ?? (words.some((word) => /^(?:testing|unstable|sid)$/.test(word)) ? DEBIAN_TESTING : '')
}

type Version = Pick<OperatingSystem, 'major' | 'minor'>

const MAX_MAJOR = 5
const MAX_MINOR = 16

/** Takes a release apart: the first number is the major version, what is behind it the minor one, up to any letter. */
function splitVersion(name: string, release: string): Version | null {
  // The releases of Ubuntu are numbered by year and month, and have no further ones below them.
  if (/^ubuntu/i.test(name)) {
    const [, major, minor = ''] = /^(\d{1,2}\.\d{2})(?:\.(\d{1,16}))?/.exec(release) ?? []
    if (major !== undefined) return { major, minor }
  }
  const [first = '', ...further] = /\d+(?:\.\d+)*/.exec(release.slice(0, 64))?.[0].split('.') ?? []
  const day = /^(\d{4})(\d{4})$/.exec(first) // the day of a system without releases: 20240115
  const [major = '', ...minor] = day ? [day[1], day[2] ?? '', ...further] : [first, ...further]
  if (major === '' || major.length > MAX_MAJOR) return null
  while (minor.join('.').length > MAX_MINOR) minor.pop()
  return { major, minor: minor.join('.') }
}

/** Shortens the description that a system gives of itself; null where it gives none. */
function describe(name: string, { major, minor }: Version, told: string | null): string | null {
  if (name === 'SLES') return minor === '' ? `SLES ${major}` : `SLES ${major} SP${minor}`
  const text = (told ?? '')
    .replaceAll('GNU/Linux', '')
    .replaceAll('Red Hat Enterprise Linux', 'RHEL')
    .replace(/\brelease\b/g, '')
    .replace(/\([^()]*\)/g, '')
    .replace(/\s+/gu, ' ')
    .trim()
  const short = text === `Debian ${major}` && minor !== '' ? `${text}.${minor}` : text
  return short === '' ? null : takeIfShort(short)
}

function takeIfShort(text: string | null): string | null {
  return text !== null && text !== '' && [...text].length <= 255 ? text : null
}
