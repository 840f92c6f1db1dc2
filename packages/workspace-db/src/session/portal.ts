import type pg from 'pg'
import { WorkspaceDbError } from '../errors.ts'
import type { RowBytes } from './data-rows.ts'

export type Value = string | null

export interface Statement {
  readonly text: string
  readonly values?: readonly Value[]
}

export interface Column {
  readonly name: string
  readonly typeId: number
}

export interface Batch {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Value[])[]
}

export interface RawBatch extends RowBytes {
  readonly columns: readonly Column[]
  readonly rest?: Promise<RawBatch | undefined>
}

export interface Portal extends pg.Submittable {
  /** Undefined at the end. Calls may be pipelined. */
  read(count: number): Promise<RawBatch | undefined>
  /** Delivers available rows before the step is complete. */
  deliverPartialBatch(): void
  close(): Promise<void>
  tag(): string
}

interface FieldMessage {
  readonly name: string
  readonly dataTypeID: number
}

/** Its published types give the row count as string, which the driver refuses. */
interface Wire {
  parse(message: { name: string; text: string }): void
  bind(message: { portal: string; statement: string; values: readonly Value[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  close(message: { type: 'P'; name: string }): void
  flush(): void
  sync(): void
  sendCopyFail(message: string): void
}

function copyRefusedError(): WorkspaceDbError {
  const message = 'COPY from or to the client is not available here. Use an upload or an export.'
  return new WorkspaceDbError({ code: 'refused', message })
}

/** Extended protocol with a row limit per Execute, so that Postgres computes only requested rows. */
export function createPortal(statement: Statement, takeRows: () => RowBytes): Portal {
  let wire: Wire | undefined
  let pendingReads: PromiseWithResolvers<RawBatch | undefined>[] = []
  let closing: PromiseWithResolvers<void> | undefined
  let failure: unknown
  let isDone = false
  let isSynced = false
  let firstRowCount = 1
  let columns: Column[] = []
  let tag = ''

  function resolveNextRead(batch: RawBatch): void {
    pendingReads.shift()?.resolve(batch)
  }
  function fail(error: unknown): void {
    failure ??= error
    const rejectedReads = pendingReads
    pendingReads = []
    for (const pendingRead of rejectedReads) pendingRead.reject(failure)
    closing?.reject(failure)
  }
  function takeBatch(): RawBatch {
    return { columns, ...takeRows() }
  }
  // A second Sync would be answered within the next statement.
  function sendSync(): void {
    if (isSynced) return
    isSynced = true
    wire?.sync()
  }

  const handlers = {
    submit(connection: pg.Connection): void {
      wire = connection as unknown as Wire
      wire.parse({ name: '', text: statement.text })
      wire.bind({ portal: '', statement: '', values: statement.values ?? [] })
      wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '', rows: firstRowCount })
      wire.flush()
    },
    handleRowDescription(message: { fields: FieldMessage[] }): void {
      columns = message.fields.map((field) => ({ name: field.name, typeId: field.dataTypeID }))
    },
    handlePortalSuspended: () => resolveNextRead(takeBatch()),
    handleCommandComplete(message: { text: string }): void {
      tag = message.text
      sendSync()
    },
    handleEmptyQuery: sendSync,
    handleReadyForQuery(): void {
      isDone = true
      if (failure) return fail(failure)
      resolveNextRead(takeBatch())
      for (const pendingRead of pendingReads.splice(0)) pendingRead.resolve(undefined)
      closing?.resolve()
    },
    handleError(error: unknown): void {
      isDone = true
      sendSync()
      fail(error)
    },
    handleCopyInResponse(): void {
      failure = copyRefusedError()
      wire?.sendCopyFail('not available')
    },
    handleCopyData(): void {
      failure ??= copyRefusedError()
    },
  }

  return {
    ...handlers,
    read(count) {
      if (failure) return Promise.reject(failure)
      if (isDone) return Promise.resolve(undefined)
      const pendingRead = Promise.withResolvers<RawBatch | undefined>()
      pendingReads.push(pendingRead)
      if (wire) {
        wire.execute({ portal: '', rows: count })
        wire.flush()
      } else {
        firstRowCount = count
      }
      return pendingRead.promise
    },
    deliverPartialBatch() {
      const [pendingRead] = pendingReads
      if (!pendingRead) return
      const remainder = Promise.withResolvers<RawBatch | undefined>()
      // Handled by the next waiter; until then an unhandled rejection would crash the process.
      remainder.promise.catch(() => undefined)
      pendingReads[0] = remainder
      pendingRead.resolve({ ...takeBatch(), rest: remainder.promise })
    },
    async close() {
      if (isDone || !wire) return
      closing = Promise.withResolvers()
      wire.close({ type: 'P', name: '' })
      sendSync()
      await closing.promise
    },
    tag: () => tag,
  }
}
