import { hash } from 'node:crypto'

/** How installers of a family of operating systems are booted. */
interface BootFacts {
  /** The name that templates know for the installer of the family, such as `kickstart`. */
  readonly type: string
  /** Directory of the boot files on the medium; variables such as `$arch` stand for values of the host. */
  readonly directory?: string
  readonly files: Readonly<Record<string, string>>
  /** Names of architectures on the media of the family, where they differ from ours. */
  readonly architectures?: Readonly<Record<string, string>>
}

const DEBIAN_NAMES = { x86_64: 'amd64', aarch64: 'arm64' }
const COREOS = {
  type: 'coreos',
  directory: '$arch-usr/$version',
  architectures: { x86_64: 'amd64' },
}

const BOOT: Readonly<Record<string, BootFacts>> = {
  Redhat: { type: 'kickstart', directory: 'images/pxeboot', files: { kernel: 'vmlinuz', initrd: 'initrd.img' } },
  Debian: {
    type: 'preseed',
    directory: 'dists/$release/main/installer-$arch/current/images/netboot/$name-installer/$arch',
    files: { kernel: 'linux', initrd: 'initrd.gz' },
    architectures: DEBIAN_NAMES,
  },
  Suse: { type: 'yast', directory: 'boot/$arch/loader', files: { kernel: 'linux', initrd: 'initrd' } },
  Altlinux: { type: 'alterator', directory: 'syslinux/alt0', files: { kernel: 'vmlinuz', initrd: 'full.cz' } },
  Archlinux: { type: 'aif', directory: 'arch/boot/$arch', files: { kernel: 'vmlinuz', initrd: 'archiso.img' } },
  Gentoo: { type: 'gentoo', directory: 'boot/grub', files: { kernel: 'kernel', initrd: 'initramfs' } },
  Windows: {
    type: 'waik',
    files: { kernel: 'wimboot', bcd: 'bcd', bootsdi: 'boot.sdi', bootwim: 'boot.wim' },
  },
  Coreos: {
    ...COREOS,
    files: { kernel: 'coreos_production_pxe.vmlinuz', initrd: 'coreos_production_pxe_image.cpio.gz' },
  },
  Flatcar: {
    ...COREOS,
    files: { kernel: 'flatcar_production_pxe.vmlinuz', initrd: 'flatcar_production_pxe_image.cpio.gz' },
  },
  Rancheros: { type: 'rancheros', files: { kernel: 'vmlinuz', initrd: 'initrd' } },
  Freebsd: { type: 'memdisk', directory: 'boot/$arch/images', files: {} },
  Solaris: {
    type: 'jumpstart',
    directory: 'Solaris_$minor/Tools/Boot',
    files: { kernel: 'multiboot', initrd: 'x86.miniroot' },
  },
  Xenserver: {
    type: 'xenserver',
    files: { kernel: 'boot/vmlinuz', initrd: 'install.img', xen: 'boot/xen.gz' },
  },
  Junos: { type: 'ZTP', files: {} },
}

/** The boot files of a host's operating system. */
export interface Boot {
  readonly type: string | null
  /** Path of a file by kind on the boot server; null where the family has none. */
  readonly file: (kind: string) => string | null
  /** URLs of the files on the medium, by kind. */
  readonly urls: ReadonlyMap<string, string>
  /** URL of the medium, or of a path on it. */
  readonly medium: (path?: string) => string
  /** A name for the medium that changes when the medium does. */
  readonly mediumId: string
}

/** The records of a host that decide what it boots, with their columns. */
interface Booted {
  readonly operatingsystem: Readonly<Record<string, unknown>> | null
  readonly architecture: Readonly<Record<string, unknown>> | null
  readonly medium: Readonly<Record<string, unknown>> | null
}

/** The boot files of a host; null without operating system, architecture or medium. */
export function bootOf({ operatingsystem: os, architecture, medium }: Booted): Boot | null {
  if (os === null || architecture === null || medium === null) return null
  const family = String(os.family ?? '')
  const facts = BOOT[family]
  const [major, minor] = [String(os.major ?? ''), String(os.minor ?? '')]
  const name = String(architecture.name)
  const fill = (text: string, arch: string) =>
    text
      .replaceAll('$arch', arch)
      .replaceAll('$major', major)
      .replaceAll('$minor', minor)
      .replaceAll('$version', [major, minor].filter((part) => part !== '').join('.'))
      .replaceAll('$release', String(os.release_name ?? ''))
      .replaceAll('$name', /ubuntu/i.test(String(os.name)) ? 'ubuntu' : 'debian')
  const joinPath = (path: string, arch: string) =>
    fill([String(medium.path ?? '').replace(/\/+$/, ''), path].filter((part) => part !== '').join('/'), arch)
  const files = new Map(Object.entries(facts?.files ?? {}))
  const folder = facts?.directory ?? ''
  const own = facts?.architectures?.[name] ?? name
  const base = joinPath(folder, own)
  const mediumId = `${toSlug(String(medium.name))}-${hash('sha1', base, 'base64url').replace(/[-_]/g, '').slice(0, 8)}`
  const prefix = prefixOf(family, String(os.title ?? ''), name, mediumId)
  return {
    type: facts?.type ?? null,
    file: (kind) => {
      if (family === 'Freebsd') return freebsdFileOf(kind, name, [major, minor])
      const file = files.get(kind)
      return file === undefined ? null : prefix + (file.split('/').at(-1) ?? '')
    },
    urls: new Map([...files].map(([kind, file]) => [kind, `${base}/${file}`])),
    medium: (path = '') => joinPath(path, name),
    mediumId,
  }
}

function prefixOf(family: string, title: string, arch: string, mediumId: string): string {
  if (family === 'Windows') return `boot/windows-${arch}/`
  if (family !== 'Solaris') return `boot/${mediumId}-`
  return `boot/${title.replace(/[\s()]+/g, '-').replace(/-$/, '')}-`
}

/** The path of an image that administrators copy to the boot server by hand. */
function freebsdFileOf(kind: string, arch: string, release: readonly string[]): string | null {
  if (kind === 'kernel') return 'memdisk'
  return kind === 'initrd' ? `boot/FreeBSD-${arch}-${release.filter((part) => part !== '').join('.')}-mfs.img` : null
}

function toSlug(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'ftp:': '21' }

/** Formats the URL of the medium as installers of the family expect it; for Redhat as a command (`url …`, `nfs …`). */
export function formatMediumPath(boot: Boot, family: unknown): string {
  const url = boot.medium()
  const parsed = family === 'Redhat' ? parseUrl(url) : null
  if (family !== 'Redhat' || (parsed !== null && parsed.protocol in PORTS))
    return family === 'Redhat' ? `url --url ${url}` : url
  if (parsed === null) return `url --url ${url}`
  return `nfs --server ${parsed.host} --dir ${parsed.pathname}${parsed.search}`
}

/** Splits the URL of the medium: server with port, path with query, and host alone. */
export function splitMediumUrl(boot: Boot): { readonly server: string; readonly path: string; readonly host: string } {
  const url = parseUrl(boot.medium())
  if (url === null) return { server: '', path: boot.medium(), host: '' }
  const port = url.port || (PORTS[url.protocol] ?? '')
  return {
    server: port === '' ? url.hostname : `${url.hostname}:${port}`,
    path: url.pathname + url.search,
    host: url.hostname,
  }
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}
