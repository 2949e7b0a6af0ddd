import { createReader, type HostValue } from '../../../templates/index.ts'
import { type Boot, bootOf, formatMediumPath, splitMediumUrl } from './boot.ts'
import type { HostData } from './host-data.ts'
import { createMediumReader } from './host-functions.ts'
import type { TemplateParameters } from './parameters.ts'
import type { ProvisioningData } from './surroundings.ts'

/** The installers (`Boot.type`) whose templates get the medium as one line, `@mediapath`. */
const TOLD = ['kickstart', 'yast', 'xenserver', 'coreos', 'aif', 'memdisk', 'ZTP', 'rancheros', 'alterator']

/** Builds the variables of provisioning templates beside `@host`: boot files and medium. */
export function buildVariables(
  host: HostData,
  parameters: TemplateParameters,
  around: ProvisioningData,
): Readonly<Record<string, HostValue>> {
  const boot = bootOf(host)
  const layout = String(host.disk ?? host.ptable?.layout ?? '')
  return {
    medium_provider: createMediumReader(boot),
    '@provisioning_type': 'host',
    '@static': false,
    '@dynamic': /^#Dynamic/m.test(layout),
    '@arch': host.architecture?.name ?? null,
    '@osver': Number.parseInt(String(host.operatingsystem?.major ?? ''), 10) || null,
    '@additional_media': listFurtherMedia(parameters.values.get('additional_media')),
    ...(boot === null ? {} : buildBootVariables(boot, host.operatingsystem?.family)),
    ...(boot?.type === 'jumpstart' ? buildJumpstartVariables(around, layout) : {}),
  }
}

function buildBootVariables(boot: Boot, family: unknown): Readonly<Record<string, HostValue>> {
  const place = splitMediumUrl(boot)
  return {
    '@kernel': boot.file('kernel'),
    '@initrd': boot.file('initrd'),
    '@xen': boot.file('xen'),
    '@kernel_uri': boot.urls.get('kernel') ?? null,
    '@initrd_uri': boot.urls.get('initrd') ?? null,
    '@mediaserver': place.host,
    ...(boot.type !== null && TOLD.includes(boot.type) ? { '@mediapath': formatMediumPath(boot, family) } : {}),
    ...(boot.type === 'preseed' ? { '@preseed_path': place.path, '@preseed_server': place.server } : {}),
  }
}

function buildJumpstartVariables(
  { use_image, image_file }: ProvisioningData,
  layout: string,
): Readonly<Record<string, HostValue>> {
  const image = { '@install_type': 'flash_install', '@archive_location': image_file }
  const packages = {
    '@install_type': 'initial_install',
    '@system_type': 'standalone',
    '@cluster': 'SUNWCreq',
    '@packages': 'SUNWgzip',
    '@locale': 'C',
  }
  return { '@disk': layout, ...(use_image ? image : packages) }
}

/** The further repositories in the parameter `additional_media`; those without name and address are left out. */
function listFurtherMedia(given: HostValue): readonly HostValue[] {
  const list = typeof given === 'string' ? parseJson(given) : given
  if (!Array.isArray(list)) return []
  return list.flatMap((medium): HostValue[] => {
    const pairs = medium instanceof Map ? [...medium] : Object.entries(medium ?? {})
    const values = new Map(pairs.map(([key, value]) => [String(key), value as HostValue]))
    if (!values.get('name') || !values.get('url')) return []
    const name = String(values.get('name'))
    return [
      createReader(
        'medium',
        { '[]': ({ args: [key] }) => values.get(keyOf(key)), ...Object.fromEntries(values) },
        name,
      ),
    ]
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The key of a medium, given as text or symbol. */
function keyOf(key: HostValue): string {
  return typeof key === 'object' && key !== null && 'name' in key ? String(key.name) : String(key)
}
