/** What ends the command, in words for whoever typed it. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number
  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

export const EXIT = { ok: 0, failed: 1, usage: 2, differs: 3 } as const
