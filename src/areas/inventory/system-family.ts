/**
 * The families by words in the names of their systems; the first one counts, because FedoraCoreOS is not installed as Fedora
 * is.
 */
const FAMILIES: readonly (readonly [family: string, words: RegExp])[] = [
  ['Fcos', /fcos|fedora-?coreos/i],
  ['Rhcos', /rhcos|red_?hat-?coreos/i],
  ['Flatcar', /flatcar/i],
  ['Rancheros', /rancheros/i],
  ['Coreos', /coreos|containerlinux/i],
  ['Debian', /debian|ubuntu|mint|pop!?_?os|kali|raspbian|raspberrypios|devuan|cumulus/i],
  ['Redhat', /red_?hat|rhel|centos|fedora|scientific|oracle|alma|rocky|amazon|ascendos|cloudlinux|^slc$/i],
  ['Suse', /suse|sles|sled/i],
  ['Altlinux', /altlinux/i],
  ['Archlinux', /archlinux|manjaro/i],
  ['Gentoo', /gentoo/i],
  ['Freebsd', /freebsd/i],
  ['Solaris', /solaris/i],
  ['AIX', /^aix/i],
  ['Junos', /junos/i],
  ['NXOS', /^nx-?os/i],
  ['VRP', /^vrp/i],
  ['Xenserver', /xenserver|xcp-ng/i],
  ['Windows', /windows/i],
]

/** Yields the family that the name of an operating system tells; null where it tells none. */
export function familyOf(system: string): string | null {
  return FAMILIES.find(([, words]) => words.test(system))?.[0] ?? null
}
