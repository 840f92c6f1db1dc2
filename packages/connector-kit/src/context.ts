import type { FormaValues } from '@trellis/contract/formas/forma'
import type { Duplex } from 'node:stream'

export interface OutgoingRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  timeoutMs?: number
  /** For responses of any length: `timeoutMs` then limits the wait for the first byte, `idleMs` each pause after it. */
  idleMs?: number
  maxBytes?: number
  redirects?: number
}

export interface Budget {
  take(cost: number, rule: { requests: number; seconds: number }): Promise<void>
  /** After a rate-limit response: nobody spends before this instant. */
  pauseUntil(instant: number): Promise<void>
}

export interface OwnDatabase {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  /** Disabled, encrypted without checks, or with certificate and host name verified. */
  readonly tls: 'disable' | 'require' | 'verify-full'
  readonly certificate?: string
  readonly identity?: { readonly certificate: string; readonly key: string }
}

/** Shorter limits while a user waits for the response. */
interface InteractiveLimits {
  readonly maxRetryMs: number
  readonly maxBytes: number
}

/** A connector's only access to network, time and logs: it opens no socket or file itself. */
export interface ConnectorContext {
  /** Settings including secrets, in the shape of the setup forma. */
  readonly values: FormaValues
  /** Cancels the work; every wait and every request must observe it. */
  readonly signal: AbortSignal
  readonly now: () => Date
  readonly wait: (ms: number) => Promise<void>
  readonly log: (level: 'INFO' | 'DEBUG' | 'WARNING' | 'ERROR', message: string) => void
  readonly budget: Budget
  /** Base address of a declared host; the simulator's for a simulated integration. */
  readonly getHost: (name: string) => string
  /** SSRF-safe: private addresses are refused unless the operator allows them. */
  readonly fetch: (url: string, init?: OutgoingRequest) => Promise<Response>
  /** SSRF-safe socket for drivers. Cancel requests need their own signal: the context's is already aborted. */
  readonly connect: (target: { host: string; port: number; signal?: AbortSignal }) => Promise<Duplex>
  /** OAuth access token. Pass a rejected one as `isStale`: concurrent callers share one refresh. */
  readonly accessToken: (options?: { isStale?: string }) => Promise<string>
  /** The workspace's database, read-only; only for the connector that declares `usesOwnDatabase`. */
  readonly ownDatabase?: () => Promise<OwnDatabase>
  /** Absent in runs, which may retry for minutes and read large responses. */
  readonly interactiveLimits?: InteractiveLimits
}
