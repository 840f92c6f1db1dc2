/**
 * `code`: the person's code threw, or can't be read. `time`, `memory`: it took too much. `output`: it gave back something
 * that is no table. `cancelled`: the caller's signal. `host`: ours.
 */
export type SandboxFault = 'code' | 'time' | 'memory' | 'output' | 'cancelled' | 'host'

/** The message is for the person who wrote the code and names nothing of ours. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly fault: SandboxFault
  /** In the person's code, counted from 1. */
  readonly line: number | null
  readonly column: number | null

  constructor(fault: SandboxFault, message: string, place: { line: number | null; column: number | null } = NOWHERE) {
    super(message)
    this.fault = fault
    this.line = place.line
    this.column = place.column
  }
}

const NOWHERE = { line: null, column: null }
