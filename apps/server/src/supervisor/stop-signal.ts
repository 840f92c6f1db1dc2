import { dim } from './terminal.ts'

const sameKeystroke = 1000

/**
 * A second Ctrl-C exits at once. One key press arrives several times (terminal, npm, launcher), so repeats within a
 * second count once.
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
    // The launcher was killed, so Ctrl-C would not reach us any more.
    if (process.send !== undefined) process.on('disconnect', ask)
  })
}
