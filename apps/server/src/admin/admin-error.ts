export const EXIT = { ok: 0, failed: 1, usage: 2 } as const

export class AdminError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}
