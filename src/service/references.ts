import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { createReferences, type References } from '../references/references.ts'

/** Opens the sources of secrets that the configuration names. {@throws Error} if vault-ca cannot be read */
export function openReferences(config: Config): References {
  const { vaultAddress: address, vaultCa, secretDirectory: directory } = config
  if (address === null) return createReferences({ vault: null, directory })
  return createReferences({
    vault: {
      address,
      ca: vaultCa === null ? null : readFileSync(vaultCa, 'utf8'),
      timeoutMs: config.vaultTimeoutMs,
      namespace: config.vaultNamespace,
      tokenFile: config.vaultTokenFile,
      roleId: config.vaultRoleId,
      secretIdFile: config.vaultSecretIdFile,
      mount: config.vaultMount?.replace(/^\/+|\/+$/g, '') ?? null,
    },
    directory,
  })
}
