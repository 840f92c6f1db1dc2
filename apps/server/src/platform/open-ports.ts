import { CONNECTORS } from '@trellis/connectors/registry'
import { createClusterPort } from './clusters/cluster-port.ts'
import type { Config } from './config.ts'
import { openCatalogue } from './connectors/catalogue.ts'
import { openObjectStore } from './object-store/open-object-store.ts'
import { createPayments } from './payments/payments.ts'
import { openPlatformKeys } from './platform-keys.ts'
import type { Ports } from './ports.ts'
import { createSafeHttp } from './safe-http/safe-http.ts'
import { openRootKeys } from './secrets/root-key.ts'
import { createSecretBox } from './secrets/secret-box.ts'
import { createTokens } from './tokens.ts'

export function openPorts(config: Config): Ports {
  const { tokenKey, pepper } = openPlatformKeys(config)
  const secrets = createSecretBox(openRootKeys(config))
  return {
    config,
    tokens: createTokens({ privateKey: tokenKey, issuer: config.publicUrl }),
    pepper,
    secrets,
    objects: openObjectStore(config),
    cluster: createClusterPort(config, secrets),
    payments: createPayments(config),
    platforms: openCatalogue(CONNECTORS),
    http: createSafeHttp({ allowPrivateHosts: config.allowPrivateHosts, allowList: config.allowedHosts }),
  }
}
