import type { TlsMode } from './tls.ts'

export interface PostgresAddress {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly tls: TlsMode
  readonly certificate?: string | undefined
  readonly identity?: { readonly certificate: string; readonly key: string } | undefined
}
