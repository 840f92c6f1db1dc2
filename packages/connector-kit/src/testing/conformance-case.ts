import type { FormaValues } from '@trellis/contract/formas/forma'
import type { ReadState } from '../batch.ts'
import type { Simulator } from '../connector.ts'
import type { ConnectorContext } from '../context.ts'
import type { TestContextOptions } from './test-context.ts'

export interface ConformanceCase {
  readonly name: string
  readonly values: FormaValues
  readonly query: FormaValues
  /** Replaces the test context, for connectors that use a database driver. */
  readonly context?: (options: TestContextOptions) => ConnectorContext | Promise<ConnectorContext>
  readonly simulator?: Simulator
  readonly hosts?: Readonly<Record<string, string>>
  readonly now?: Date
  /** `exact`: the remaining rows in order. `upsert`: equal by key. The last checkpoint is always compared by key. */
  readonly resume?: 'exact' | 'upsert'
  readonly getCursor?: (state: ReadState) => unknown
  /** A later time at which the simulator has new and changed records. Set by default if there is a cursor. */
  readonly later?: Date
  /** At least this many batches, otherwise resuming would not be tested. */
  readonly minBatches?: number
  readonly hasNoKey?: true
  /** Finds the records of a response, to insert malformed ones. */
  readonly findRecords?: (body: unknown) => unknown[] | undefined
  /** What is inserted where records are no objects, and what is said of it. */
  readonly malformed?: { readonly records: readonly unknown[]; readonly reason: RegExp }
  readonly expired?: { readonly status: number; readonly body?: string }
}
