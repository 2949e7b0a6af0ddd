import { deriveNames } from './derive-names.ts'
import * as kind from './value-types.ts'

/** The keys of the configuration that say where secrets are read to which hidden values refer. */
export const SECRET_KEYS = {
  vaultAddress: {
    ...deriveNames('vault-address'),
    default: null,
    schema: kind.optional(kind.secureUrl()),
    doc: 'HashiCorp Vault or OpenBao, where hidden values may refer to secrets as `vault:path#key` (KV engine version 2). Requires vault-token-file or vault-role-id. Off if not set.',
  },
  vaultNamespace: {
    ...deriveNames('vault-namespace'),
    default: null,
    schema: kind.optional(kind.text(1, 1000)),
    doc: 'Namespace of the login and the secrets in Vault.',
  },
  vaultMount: {
    ...deriveNames('vault-mount'),
    default: null,
    schema: kind.optional(kind.text(1, 255)),
    doc: 'Mount of the KV engine. If set, all references must begin with it. Default: the first segment of each path.',
  },
  vaultTokenFile: {
    ...deriveNames('vault-token-file'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'File with a token for Vault. The service reads it anew for each request, so that an agent may replace it.',
  },
  vaultRoleId: {
    ...deriveNames('vault-role-id'),
    default: null,
    schema: kind.optional(kind.text(1, 255)),
    doc: 'Role id for logins in Vault as an AppRole. vault-token-file takes precedence.',
  },
  vaultSecretIdFile: {
    ...deriveNames('vault-secret-id-file'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'File with the secret id of that AppRole. Read at each login.',
  },
  vaultCa: {
    ...deriveNames('vault-ca'),
    default: null,
    schema: kind.optional(kind.path('a file')),
    doc: 'Certificates of trusted authorities for Vault (PEM). Read at start. Default: those of this machine.',
  },
  vaultTimeoutMs: {
    ...deriveNames('vault-timeout'),
    default: '5s',
    schema: kind.duration('100ms', '30s'),
    doc: 'Time limit of one request to Vault.',
  },
  secretDirectory: {
    ...deriveNames('secret-directory'),
    default: null,
    schema: kind.optional(kind.path('a directory')),
    doc: 'Directory with files that hidden values may refer to as `file:name`. Off if not set.',
  },
}
