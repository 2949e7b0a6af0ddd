/** The types of content that repositories can have (content-api §8.4). */
export const CONTENT_TYPES = ['yum', 'deb', 'file', 'docker', 'ansible_collection', 'ostree', 'python'] as const

/** Types that hosts subscribe to: their repositories have content, which overrides enable and disable. */
export const SUBSCRIBABLE: readonly string[] = ['yum', 'deb', 'ostree']

/** When to download the packages of a repository: at once, or at the first request of a host. */
export const DOWNLOAD_POLICIES = ['immediate', 'on_demand'] as const

/** Types whose packages can be downloaded after their metadata. */
export const DOWNLOADED: readonly string[] = ['yum', 'deb', 'docker', 'file']

/** The handling of content that the source no longer has, and of its metadata. */
export const MIRRORING_POLICIES = ['additive', 'mirror_complete', 'mirror_content_only'] as const

/** The checksums that metadata of a repository can have. */
export const CHECKSUM_TYPES = ['sha1', 'sha256', 'sha384', 'sha512'] as const

/** Kinds of packages that can be excluded. */
export const IGNORABLE: readonly string[] = ['rpm', 'drpm', 'srpm', 'distribution', 'erratum']

/** Which HTTP proxy a repository is fetched through: the default of the settings, none, or its own. */
export const HTTP_PROXY_POLICIES = ['global_default_http_proxy', 'none', 'use_selected_http_proxy'] as const
