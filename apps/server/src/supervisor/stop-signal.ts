import { dim } from './terminal.ts'

const sameKeystroke = 1000

/**
 * A second Ctrl-C exits at once. One key press arrives several times (terminal, npm, launcher), so repeats within a
 * second count once.
 */
export function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstSignalAt: number | undefined
    const onSignal = () => {
      if (firstSignalAt === undefined) {
        firstSignalAt = Date.now()
        process.stdout.write(`\n  ${dim('Stopping…')}\n`)
        resolve()
      } else if (Date.now() - firstSignalAt > sameKeystroke) {
        process.exit(130)
      }
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    process.on('SIGHUP', onSignal)
    // The launcher was killed, so Ctrl-C would not reach us any more.
    if (process.send !== undefined) process.on('disconnect', onSignal)
  })
}
