import pg from 'pg'
import { listAddresses } from './address.ts'

/** Members of the driver's client that its types omit. */
interface Inside {
  connection: NodeJS.EventEmitter & { readonly stream: { destroy(): void } }
}
interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

export interface ClientConfig extends pg.ClientConfig {
  /** Overrides `connectionString`. For callers that pass the same settings to the driver's client, which takes one host. */
  readonly address?: string
  /** Connects only to a standby; otherwise, with several hosts, only to a primary. */
  readonly isReplica?: boolean
}

/** For each address, the index of the host to try first; shared by all connections of this process. */
const preferred = new Map<string, number>()

/** The host to try first: the one that answered last, or the one after a host that failed. */
export function getPreferredAddress(address: string): string {
  const listedAddress = listAddresses(address)
  return listedAddress[preferred.get(address) ?? 0] ?? listedAddress[0]
}

const LISTENERS = new Set(['_events', '_eventsCount', '_maxListeners'])

class WrongServer extends Error {
  /** read_only_sql_transaction: callers that wait for a failover on it wait here too. */
  readonly code = '25006'
}

/**
 * A client of the driver whose address may name several hosts. They are tried in turn, beginning with the one that
 * answered last; a standby is skipped. Postgres reports while connecting whether it is one.
 */
export class PostgresClient extends pg.Client {
  readonly #config: ClientConfig
  readonly #address: string
  readonly #addresses: readonly string[]

  constructor(given: string | ClientConfig = {}) {
    const config = typeof given === 'string' ? { connectionString: given } : given
    const { connectionString = '', address = connectionString } = config
    const addresses = address === '' ? [] : listAddresses(address)
    super(addresses.length === 0 ? config : { ...config, connectionString: getPreferredAddress(address) })
    this.#config = config
    this.#address = address
    this.#addresses = addresses
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    // A pool listens for errors only from its callback on: without a listener, one that comes with the greeting ends the process.
    const ignoreError = () => undefined
    this.on('error', ignoreError)
    const connecting = this.#connect().then(() => this as pg.Client)
    const stopIgnoring = () => void this.off('error', ignoreError)
    if (!callback) {
      connecting.then(stopIgnoring, stopIgnoring)
      return connecting
    }
    const call = callback as (error: Error | null, client?: pg.Client) => void
    void connecting.then(() => call(null, this), call).finally(stopIgnoring)
    return undefined
  }

  async #connect(): Promise<void> {
    const count = this.#addresses.length
    if (count < 2 && !this.#config.isReplica) return void (await super.connect())
    const first = preferred.get(this.#address) ?? 0
    let failure: unknown
    for (let turn = 0; turn < count; turn += 1) {
      const at = (first + turn) % count
      if (turn > 0) this.#startOver(this.#addresses[at] ?? '')
      try {
        await this.#connectTo()
        preferred.set(this.#address, at)
        return
      } catch (error) {
        // The refusal of a reachable server explains more than an unreachable host.
        if (failure === undefined || error instanceof pg.DatabaseError) failure = error
        // A pool gives up while the first host keeps it waiting: the next connection begins with another one.
        preferred.set(this.#address, (at + 1) % count)
      }
    }
    throw failure
  }

  async #connectTo(): Promise<void> {
    const { connection } = this as unknown as Inside
    let isStandby = false
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on'
    })
    await super.connect()
    if (isStandby === (this.#config.isReplica ?? false)) return
    await super.end()
    throw new WrongServer(`The server at ${this.host} ${isStandby ? 'takes no writes' : 'follows no other server'}.`)
  }

  /** The driver connects a client only once: this one takes over the fields of a new one, except its listeners. */
  #startOver(connectionString: string): void {
    const { connection } = this as unknown as Inside
    connection.removeAllListeners()
    connection.on('error', () => undefined)
    connection.stream.destroy()
    const fresh = new pg.Client({ ...this.#config, connectionString })
    for (const [name, value] of Object.entries(fresh)) {
      if (!LISTENERS.has(name)) (this as unknown as Record<string, unknown>)[name] = value
    }
  }
}
