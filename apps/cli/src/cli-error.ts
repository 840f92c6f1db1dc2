export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number
  readonly status: number | undefined
  constructor(message: string, exitCode: number = EXIT.failed, status?: number) {
    super(message)
    this.exitCode = exitCode
    this.status = status
  }
}

export const EXIT = { ok: 0, failed: 1, usage: 2, differs: 3, decision: 4 } as const
