/**
 * Fixed order, so that repeated reads agree. Failed or left early, the others are stopped but not awaited: one waiting
 * for its server notices only when its connection closes.
 */
export async function* mergeReaders<T>(readers: readonly AsyncGenerator<T, unknown, undefined>[]): AsyncGenerator<T> {
  const asked = readers.map(ask)
  try {
    for (let turn = asked.shift(); turn; turn = asked.shift()) {
      const { value, done } = await turn.next
      if (done) continue
      yield value
      asked.push(ask(turn.reader))
    }
  } finally {
    for (const reader of readers) reader.return(undefined).catch(() => undefined)
  }
}

function ask<T>(reader: AsyncGenerator<T, unknown, undefined>) {
  const next = reader.next()
  // Handled when its turn comes; until then an unhandled rejection would crash the process.
  next.catch(() => undefined)
  return { reader, next }
}
