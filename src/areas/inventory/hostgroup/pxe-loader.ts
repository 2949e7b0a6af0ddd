import { type Field, text } from '../../../kernel/index.ts'

const LOADERS = [
  'None',
  'PXELinux BIOS',
  'PXELinux UEFI',
  'Grub UEFI',
  'Grub2 BIOS',
  'Grub2 ELF',
  'Grub2 UEFI',
  'Grub2 UEFI SecureBoot',
  'Grub2 UEFI HTTP',
  'Grub2 UEFI HTTPS',
  'Grub2 UEFI HTTPS SecureBoot',
  'iPXE Embedded',
  'iPXE UEFI HTTP',
  'iPXE Chain BIOS',
  'iPXE Chain UEFI',
]

/** A field of the program that boots a machine from the network. */
export function pxeLoader(): Field<string | null> {
  return text({ oneOf: LOADERS, search: 'explicit', doc: 'Network boot loader.' })
}
