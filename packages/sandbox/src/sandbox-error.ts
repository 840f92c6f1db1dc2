/** `time`, `memory`: over the limit. `output`: not a table. `host`: our fault. */
export type SandboxFault = 'code' | 'time' | 'memory' | 'output' | 'cancelled' | 'host'

/** The message is for the author of the code and reveals nothing about the host. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly fault: SandboxFault
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
