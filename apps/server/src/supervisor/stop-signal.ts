import { dim } from './terminal.ts'

const sameKeystroke = 1000

/**
 * Settles when the product is asked to end. A later Ctrl-C ends it at once; one key press arrives several times
 * (from the terminal, from npm, from the launcher), so repeats within a second count as the same.
 */
export function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined
    const ask = () => {
      if (askedAt === undefined) {
        askedAt = Date.now()
        process.stdout.write(`\n  ${dim('Stopping…')}\n`)
        resolve()
      } else if (Date.now() - askedAt > sameKeystroke) {
        process.exit(130)
      }
    }
    process.on('SIGINT', ask)
    process.on('SIGTERM', ask)
    process.on('SIGHUP', ask)
    // The launcher was killed: nobody could stop us with Ctrl-C any more.
    if (process.send !== undefined) process.on('disconnect', ask)
  })
}
