import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'

export interface FakeTurn {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[]
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly raw?: string
  readonly hangs?: boolean
}

export interface FakeModel {
  readonly baseUrl: string
  readonly requests: string[]
  readonly keys: string[]
  cutAnswers(): number
  close(): Promise<void>
}

type Protocol = 'anthropic' | 'openai'

/** A real HTTP server that answers by script. */
export async function startFakeModel(
  protocol: Protocol,
  script: (at: number, body: string) => FakeTurn,
): Promise<FakeModel> {
  const requests: string[] = []
  const keys: string[] = []
  let cut = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    keys.push(String(request.headers['x-api-key'] ?? request.headers.authorization ?? ''))
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ id: 'test', context_length: 32_000, max_input_tokens: 200_000 }))
      return
    }
    const body = await readAll(request)
    const turn = script(requests.push(body) - 1, body)
    response.on('close', () => (cut += response.writableEnded ? 0 : 1))
    if (turn.status !== undefined) {
      response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers })
      response.end(turn.raw ?? JSON.stringify({ error: { message: `status ${turn.status}` } }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (turn.raw !== undefined) response.write(turn.raw)
    else for (const event of protocol === 'openai' ? openAiEvents(turn) : anthropicEvents(turn)) response.write(event)
    if (!turn.hangs) response.end(protocol === 'openai' ? 'data: [DONE]\n\n' : '')
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    keys,
    cutAnswers: () => cut,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`

const pieces = (text: string) => text.match(/[\s\S]{1,7}/g) ?? []

function openAiEvents({ text = '', calls = [] }: FakeTurn): string[] {
  const delta = (value: object) => data({ choices: [{ index: 0, delta: value }] })
  return [
    ...pieces(text).map((content) => delta({ content })),
    ...calls.flatMap((call, index) => [
      delta({ tool_calls: [{ index, id: `c${index}`, function: { name: call.name, arguments: '' } }] }),
      ...pieces(call.arguments).map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
    data({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } }),
  ]
}

function anthropicEvents({ text = '', calls = [] }: FakeTurn): string[] {
  const event = (value: { type: string }) => `event: ${value.type}\n${data(value)}`
  const start = { type: 'message_start', message: { usage: { input_tokens: 11, output_tokens: 1 } } }
  const blocks = [
    ...(text
      ? [
          {
            block: { type: 'text', text: '' },
            deltas: pieces(text).map((part) => ({ type: 'text_delta', text: part })),
          },
        ]
      : []),
    ...calls.map((call, at) => ({
      block: { type: 'tool_use', id: `toolu_${at}`, name: call.name, input: {} },
      deltas: pieces(call.arguments).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    })),
  ]
  const middle = blocks.flatMap(({ block, deltas }, index) => [
    event({ type: 'content_block_start', index, content_block: block } as { type: string }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta } as { type: string })),
    event({ type: 'content_block_stop', index } as { type: string }),
  ])
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } }
  return [
    event(start),
    'event: ping\ndata: {"type":"ping"}\n\n',
    ...middle,
    event(end),
    event({ type: 'message_stop' }),
  ]
}
