/**
 * Fixed order, so that repeated reads agree. Failed or left early, the others are stopped but not awaited: one waiting
 * for its server notices only when its connection closes.
 */
export async function* mergeReaders<T>(readers: readonly AsyncGenerator<T, unknown, undefined>[]): AsyncGenerator<T> {
  const started = readers.map(startReading)
  try {
    for (let turn = started.shift(); turn; turn = started.shift()) {
      const { value, done } = await turn.next
      if (done) continue
      yield value
      started.push(startReading(turn.reader))
    }
  } finally {
    for (const reader of readers) reader.return(undefined).catch(() => undefined)
  }
}

function startReading<T>(reader: AsyncGenerator<T, unknown, undefined>) {
  const next = reader.next()
  // Handled when its turn comes; until then an unhandled rejection would crash the process.
  next.catch(() => undefined)
  return { reader, next }
}
