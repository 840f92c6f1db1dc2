const ending = new AbortController()

/** A read that is answered after the sign-out is refused, and would end the session a second time. */
export function cancelReads(): void {
  ending.abort()
}

/** Cancelled reads never settle: the page is about to be left, and an error would flash up on it. */
export async function readWhileSignedIn<T>(
  signal: AbortSignal | undefined,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    if (!ending.signal.aborted) return await read(signal ? AbortSignal.any([signal, ending.signal]) : ending.signal)
  } catch (error) {
    if (!ending.signal.aborted) throw error
  }
  return await new Promise<never>(() => undefined)
}
