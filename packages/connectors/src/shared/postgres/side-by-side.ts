/**
 * What several readers that work at the same time bring, in turn, so that two reads of the same give the same. When one
 * fails or the caller leaves, the others are told to end but not waited for: one that waits for its server hears of it
 * only when its connection is closed.
 */
export async function* sideBySide<T>(readers: readonly AsyncGenerator<T, unknown, undefined>[]): AsyncGenerator<T> {
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
  // Heard of when its turn comes; unheard until then it would end the process.
  next.catch(() => undefined)
  return { reader, next }
}
