export const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** A failure that is one sentence for the person at the terminal. */
export class AdminError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}
