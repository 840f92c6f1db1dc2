import { createServer, type IncomingMessage } from 'node:http'
import { inflateSync } from 'node:zlib'

export interface Report {
  type: string
  text: string
}

export async function startReports(port: number) {
  const received: Report[] = []
  const url = `http://127.0.0.1:${port}`
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET') return void response.end(JSON.stringify(received))
    readBody(request).then(
      (body) => {
        received.push(...readEnvelope(body))
        response.end('{}')
      },
      () => response.writeHead(400).end(),
    )
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url,
    dsn: `http://public@127.0.0.1:${port}/7`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * A Sentry envelope: a header line, then per item a header line and a payload of `length` bytes or up to the next line.
 */
export function readEnvelope(envelope: Buffer): Report[] {
  const reports: Report[] = []
  let at = envelope.indexOf(0x0a) + 1
  const lineEnd = () => {
    const end = envelope.indexOf(0x0a, at)
    return end === -1 ? envelope.length : end
  }
  while (at > 0 && at < envelope.length) {
    const end = lineEnd()
    const header = JSON.parse(envelope.subarray(at, end).toString() || '{}') as { type?: string; length?: number }
    at = end + 1
    const until = header.length === undefined ? lineEnd() : at + header.length
    reports.push({ type: header.type ?? '', text: readable(envelope.subarray(at, until)) })
    at = until + 1
  }
  return reports
}

/** A replay is a line of JSON followed by deflated JSON. */
function readable(payload: Buffer): string {
  const end = payload.indexOf(0x0a)
  if (end === -1) return payload.toString()
  try {
    return payload.subarray(0, end + 1).toString() + inflateSync(payload.subarray(end + 1)).toString()
  } catch {
    return payload.toString()
  }
}
