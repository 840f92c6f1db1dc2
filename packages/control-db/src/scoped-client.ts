import { PostgresClient } from '@trellis/postgres-client/client'
import pg from 'pg'

export type Scope = 'system' | number

interface Wire {
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: { text: string }): void
  bind(values: { values: string[] }): void
  execute(portal: { rows: number }): void
}

interface DriverQuery {
  text: string
  name: string | undefined
  requiresPreparation(): boolean
  submit(connection: Wire): Error | null
  prepare(connection: Wire): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object, connection: Wire): void
  handleError(error: Error, connection: Wire): void
}

type Callback = (error: Error | undefined, result: unknown) => void
type Values = unknown[] | Callback | undefined

const DriverQuery = pg.Query as unknown as new (config: unknown, values: Values, callback?: Callback) => DriverQuery

const toSettings = (scope: Scope): [string, string] => (scope === 'system' ? ['system', ''] : ['', String(scope)])

const SET_SCOPE = "select set_config('trellis.scope', $1, true), set_config('trellis.account_id', $2, true)"

/** Takes no snapshot: the transaction's first statement does, after its locks. */
function toStatements(scope: Scope): string {
  const [system, account] = toSettings(scope).map((value) => pg.escapeLiteral(value))
  return `set local trellis.scope = ${system}; set local trellis.account_id = ${account}`
}

const STARTS_TRANSACTION = /^\s*(begin|start\s+transaction)\b[^;]*;?\s*$/i

/**
 * Sets the scope in the same transaction and round trip. Set on the session, it would apply to the next client that
 * the pooler gives the session to.
 */
class ScopedQuery extends DriverQuery {
  readonly #client: ScopedClient
  #skipped: readonly number[] = []
  #completed = 0
  #nameUntilParsed: string | undefined

  constructor(client: ScopedClient, ...[config, values, callback]: [unknown, Values, Callback]) {
    super(config, values, callback)
    this.#client = client
    if (client.isPooled) this.name = undefined
  }

  override submit(connection: Wire): Error | null {
    const { scope } = this.#client
    if (scope === undefined) return new Error('A statement on the control database names no scope.')
    if (this.#isInTransaction()) {
      if (this.#client.transactionScope === scope) return super.submit(connection)
      return new Error('A transaction on the control database was left open in another scope.')
    }
    this.#client.transactionScope = scope
    if (!this.requiresPreparation()) {
      const isStart = STARTS_TRANSACTION.test(this.text)
      this.text = isStart ? `${this.text}\n; ${toStatements(scope)}` : `${toStatements(scope)}; ${this.text}`
      this.#skipped = isStart ? [1, 2] : [0, 1]
    }
    return super.submit(connection)
  }

  /** Everything up to the driver's final Sync is one transaction. */
  override prepare(connection: Wire): void {
    const { scope } = this.#client
    if (this.#isInTransaction() || scope === undefined) return super.prepare(connection)
    connection.parse({ text: SET_SCOPE })
    connection.bind({ values: toSettings(scope) })
    connection.execute({ rows: 0 })
    super.prepare(connection)
    this.#skipped = [0]
    // The driver takes the first ParseComplete for the named statement's, and would never parse again one that failed.
    this.#nameUntilParsed = this.name
    this.name = undefined
  }

  override handleDataRow(message: object): void {
    if (!this.#skipped.includes(this.#completed)) super.handleDataRow(message)
  }

  override handleCommandComplete(message: object, connection: Wire): void {
    const isOwn = !this.#skipped.includes(this.#completed)
    this.#completed += 1
    if (isOwn) super.handleCommandComplete(message, connection)
    else this.#restoreName()
  }

  override handleError(error: Error, connection: Wire): void {
    if (this.#nameUntilParsed !== undefined) delete connection.submittedNamedStatements[this.#nameUntilParsed]
    super.handleError(error, connection)
  }

  #restoreName(): void {
    if (this.#nameUntilParsed === undefined) return
    this.name = this.#nameUntilParsed
    this.#nameUntilParsed = undefined
  }

  #isInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== 'I'
  }
}

interface DriverClient extends Omit<pg.Client, 'query'> {
  query(config: unknown, values?: Values, callback?: Callback): unknown
}

const DriverClient = PostgresClient as unknown as new (config: pg.ClientConfig & PoolerConfig) => DriverClient

interface PoolerConfig {
  /** Poolers do not support named statements. */
  readonly isPooled?: boolean
}

export class ScopedClient extends DriverClient {
  readonly isPooled: boolean
  scope: Scope | undefined
  transactionScope: Scope | undefined

  constructor(config: pg.ClientConfig & PoolerConfig) {
    super(config)
    this.isPooled = config.isPooled === true
  }

  override query(config: unknown, values?: Values, callback?: Callback): unknown {
    const givenCallback = typeof values === 'function' ? values : callback
    if (givenCallback)
      return super.query(
        new ScopedQuery(this, config, typeof values === 'function' ? undefined : values, givenCallback),
      )
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    super.query(new ScopedQuery(this, config, values, (error, result) => (error ? reject(error) : resolve(result))))
    return promise.catch((error: Error) => {
      // Otherwise the stack ends at the socket and does not show the caller.
      Error.captureStackTrace(error)
      throw error
    })
  }
}
