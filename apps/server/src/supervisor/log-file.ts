import { appendFileSync, renameSync, statSync } from 'node:fs'

const limit = 20 * 1024 * 1024

export function openLogFile(path: string): (chunk: Buffer | string) => void {
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return (chunk) => {
    try {
      if (size > limit) {
        renameSync(path, `${path}.1`)
        size = 0
      }
      appendFileSync(path, chunk, { mode: 0o600 })
      size += chunk.length
    } catch {
      // A full disk must not stop the product.
    }
  }
}
