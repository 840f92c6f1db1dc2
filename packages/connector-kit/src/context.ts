import type { FormaValues } from '@trellis/contract/formas/forma'
import type { Duplex } from 'node:stream'

export interface OutgoingRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  timeoutMs?: number
  /** For answers of any length: `timeoutMs` then ends with the first byte, and the answer may stand still for this long. */
  idleMs?: number
  maxBytes?: number
  redirects?: number
}

/** How fast a credential may be used, shared by everything that uses it. */
export interface Budget {
  /** Resolves when `cost` may be spent; rejects when the work is cancelled. */
  take(cost: number, rule: { requests: number; seconds: number }): Promise<void>
  /** The platform asked to wait: nobody spends before this instant. */
  pauseUntil(instant: number): Promise<void>
}

export interface OwnDatabase {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  /** As the platform itself speaks to it: not at all encrypted, encrypted, or with certificate and host name checked. */
  readonly tls: 'disable' | 'require' | 'verify-full'
  /** Of the authority, where it is not a public one. */
  readonly certificate?: string
  /** By which the server knows us, where it asks for that. */
  readonly identity?: { readonly certificate: string; readonly key: string }
}

/** Somebody waits for the answer: what a long job would wait for and hold is cut down to what they would. */
interface Patience {
  /** Nothing is tried again for longer than this. */
  readonly retryMs: number
  /** Of one answer over HTTP. */
  readonly mostBytes: number
}

/** Everything a connector reaches: it opens no socket, file or clock of its own. */
export interface ConnectorContext {
  /** Settings with their secrets, of the shape of the setup forma. */
  readonly values: FormaValues
  /** Ends the work; every wait and every call must heed it. */
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Rejects as soon as the work is cancelled. */
  readonly wait: (ms: number) => Promise<void>
  readonly log: (level: 'INFO' | 'DEBUG' | 'WARNING' | 'ERROR', message: string) => void
  readonly budget: Budget
  /** The base address of a host the connector declared; a simulator's when the integration is simulated. */
  readonly getHost: (name: string) => string
  /** Guarded: private addresses are refused unless the operator allows them. */
  readonly fetch: (url: string, init?: OutgoingRequest) => Promise<Response>
  /** A guarded connection for a driver that speaks its own protocol. What tells the other end to stop has a signal of its own. */
  readonly connect: (target: { host: string; port: number; signal?: AbortSignal }) => Promise<Duplex>
  /** The access token that consent gave. `isStale` after the platform refused it: a new one is fetched once for all. */
  readonly accessToken: (options?: { isStale?: string }) => Promise<string>
  /** The workspace's own database, for reading; only the platform that declares `usesOwnDatabase` is given it. */
  readonly ownDatabase?: () => Promise<OwnDatabase>
  /** Without it there is time: a run tries again for minutes and takes large answers. */
  readonly patience?: Patience
}
