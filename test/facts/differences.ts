/** Differences from an existing server in what facts make of a host: the part that differs, why, and for which machines. */
export const DIFFERENCES: readonly {
  readonly part: string
  readonly why: string
  readonly files: readonly string[]
}[] = [
  {
    part: 'system',
    why: 'The release of the Linux kernel is none of the system. Amazon and SUSE are known by their kernels: 1 and 15.',
    files: [
      '1.27.0/1.6/amazon-2016-x86_64',
      '1.27.0/1.6/sles-15-x86_64',
      '1.27.0/1.7/amazon-2016-x86_64',
      '1.27.0/2.0/amazon-2016-x86_64',
      '1.27.0/2.0/sles-15-x86_64',
      '1.27.0/2.1/amazon-2016-x86_64',
      '1.27.0/2.1/amazon-2017-x86_64',
      '1.27.0/2.1/sles-15-x86_64',
      '1.27.0/2.3/sles-15-x86_64',
      '1.27.0/2.4/sles-15-x86_64',
      '1.27.0/3.0/amazon-4-x86_64',
      '1.27.0/3.1/amazon-4-x86_64',
    ],
  },
  {
    part: 'interfaces',
    why: 'The facts tell the address of the host, but not of the interface that has it.',
    files: [
      '1.27.0/1.6/gentoo-x86_64',
      '1.27.0/1.6/centos-8-x86_64',
      '1.27.0/1.6/fedora-19-i386',
      '1.27.0/1.6/fedora-19-x86_64',
      '1.27.0/1.6/fedora-22-i386',
      '1.27.0/1.6/fedora-30-x86_64',
      '1.27.0/1.6/oraclelinux-7-i386',
      '1.27.0/1.6/oraclelinux-8-x86_64',
      '1.27.0/1.6/redhat-7-i386',
      '1.27.0/1.6/redhat-8-x86_64',
      '1.27.0/1.6/scientific-7-i386',
      '1.27.0/1.6/sles-15-x86_64',
      '1.27.0/1.6/ubuntu-18.04-x86_64',
    ],
  },
  {
    part: 'interfaces',
    why: 'The tag of a VLAN is its number; there it is the whole name.',
    files: [
      '1.27.0/1.6/ubuntu-18.04-aarch64',
      '1.27.0/2.0/ubuntu-18.04-aarch64',
      '1.27.0/2.1/ubuntu-18.04-aarch64',
      '1.27.0/2.4/windows-2012 r2-x64',
      '1.27.0/2.5/ubuntu-18.04-aarch64',
    ],
  },
  {
    part: 'family',
    why: 'It is known as SLES by its kernel.',
    files: ['1.27.0/1.6/sles-15-x86_64', '1.27.0/2.0/sles-15-x86_64', '1.27.0/2.1/sles-15-x86_64'],
  },
  {
    part: 'family',
    why: 'The name tells the family: LinuxMint and Pop!_OS are installed as Debian is.',
    files: [
      '1.27.0/2.1/linuxmint-19-x86_64',
      '1.27.0/2.2/linuxmint-18-x86_64',
      '1.27.0/2.2/linuxmint-19-x86_64',
      '1.27.0/2.3/linuxmint-18-x86_64',
      '1.27.0/2.3/linuxmint-19-x86_64',
      '1.27.0/2.4/linuxmint-18-x86_64',
      '1.27.0/3.11/linuxmint-18-x86_64',
      '1.27.0/3.12/linuxmint-19-x86_64',
      '1.27.0/3.13/linuxmint-19-x86_64',
      '1.27.0/3.14/linuxmint-19-x86_64',
      '1.27.0/3.7/linuxmint-18-x86_64',
      '1.27.0/4.2/popos-21.10-x86_64',
      '3.10.0/4.2/popos-21.10-x86_64',
    ],
  },
  {
    part: 'interfaces',
    why: 'Sixteen zeros are no MAC address.',
    files: ['1.27.0/4.2/oraclelinux-6-x86_64'],
  },
  {
    part: 'interfaces',
    why: 'An address stands once on a host: its primary interface keeps it.',
    files: ['1.27.0/3.14/rocky-8-x86_64', '1.27.0/3.9/solaris-10-i86pc'],
  },
]
