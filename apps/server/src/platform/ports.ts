import type { ClusterPort } from './clusters/cluster-port.ts'
import type { Config } from './config.ts'
import type { Catalogue } from './connectors/catalogue.ts'
import type { ObjectStore } from './object-store/object-store.ts'
import type { Payments } from './payments/payments.ts'
import type { SafeHttp } from './safe-http/safe-http.ts'
import type { SecretBox } from './secrets/secret-box.ts'
import type { Tokens } from './tokens.ts'

export interface Ports {
  readonly config: Config
  readonly tokens: Tokens
  readonly pepper: Buffer
  readonly secrets: SecretBox
  readonly objects: ObjectStore
  readonly http: SafeHttp
  readonly cluster: ClusterPort
  readonly payments: Payments
  readonly platforms: Catalogue
}
