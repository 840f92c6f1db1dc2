/** The `data` of every event of a `text/event-stream`, in order. Comment lines only show that the line is alive. */
export async function* parseEvents(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
      if (line === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      }
    }
  }
}

/** Text of an answer as it comes. A character cut in two by the network is put together again. */
export async function* decodeText(body: ReadableStream<Uint8Array>, onChunk: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onChunk()
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // A stream that is left without this keeps its connection, and browsers allow six to a host.
    await reader.cancel().catch(() => undefined)
  }
}
