/** Kinds of content that repositories have (content-api §8.4). */
export const CONTENT_TYPES = ['yum', 'deb', 'file', 'docker', 'ansible_collection', 'ostree', 'python'] as const

/** Those that hosts subscribe to: their repositories come with content that overrides switch on and off. */
export const SUBSCRIBABLE: readonly string[] = ['yum', 'deb', 'ostree']

export const DOWNLOAD_POLICIES = ['immediate', 'on_demand'] as const

/** Those whose packages may be downloaded later than their description. */
export const DOWNLOADED: readonly string[] = ['yum', 'deb', 'docker', 'file']

export const MIRRORING_POLICIES = ['additive', 'mirror_complete', 'mirror_content_only'] as const

export const CHECKSUM_TYPES = ['sha1', 'sha256', 'sha384', 'sha512'] as const

/** Kinds of packages that can be left out. */
export const IGNORABLE: readonly string[] = ['rpm', 'drpm', 'srpm', 'distribution', 'erratum']

export const HTTP_PROXY_POLICIES = ['global_default_http_proxy', 'none', 'use_selected_http_proxy'] as const
