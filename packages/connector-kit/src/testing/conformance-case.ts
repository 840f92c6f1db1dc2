import type { FormaValues } from '@trellis/contract/formas/forma'
import type { ReadState } from '../batch.ts'
import type { Simulator } from '../connector.ts'
import type { ConnectorContext } from '../context.ts'
import type { TestContextOptions } from './test-context.ts'

export interface ConformanceCase {
  readonly name: string
  readonly values: FormaValues
  readonly query: FormaValues
  /** Instead of the test context: for a database, which is reached by a driver. */
  readonly context?: (options: TestContextOptions) => ConnectorContext | Promise<ConnectorContext>
  /** Instead of the connector's own, where it has none because the person enters the address. */
  readonly simulator?: Simulator
  readonly hosts?: Readonly<Record<string, string>>
  readonly now?: Date
  /**
   * How a resumed read compares. `exact`: the rows that were left, in order, none twice. `upsert`: some may come again,
   * the same by key. The state of the last batch is always compared by key: its lower bound is inclusive.
   */
  readonly resume?: 'exact' | 'upsert'
  /** Where the state says how far the cursor has come; `state.cursor` when left out. */
  readonly getCursor?: (state: ReadState) => unknown
  /** A later instant at which the simulator has more and has restated some. Given by default where there is a cursor. */
  readonly later?: Date
  /** At least so many batches, so that resuming says something. */
  readonly fewestBatches?: number
  /** The order of rows means nothing and the key is not known to be unique. */
  readonly hasNoKey?: true
  /** The records of an answer, where it has some: malformed ones are put among them. */
  readonly findRecords?: (body: unknown) => unknown[] | undefined
  /** What the platform answers when a token has run out; 401 when left out. */
  readonly expired?: { readonly status: number; readonly body?: string }
}
