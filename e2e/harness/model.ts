import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'

interface Said {
  text: string
  calls?: readonly { name: string; arguments: string }[]
}

interface ModelRequest {
  model: string
  messages: readonly { content: unknown }[]
}

export interface ScriptedModel {
  baseUrl: string
  asked: ModelRequest[]
  stop(): Promise<void>
}

const toEvent = (value: object) => `data: ${JSON.stringify(value)}\n\n`

export async function startScriptedModel(script: (modelRequest: ModelRequest) => Said): Promise<ScriptedModel> {
  const modelRequests: ModelRequest[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ id: 'scripted', context_length: 32_000 }))
    }
    const question = JSON.parse(await readAll(request)) as ModelRequest
    modelRequests.push(question)
    const { text, calls = [] } = script(question)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const say = (delta: object) => response.write(toEvent({ choices: [{ index: 0, delta }] }))
    say({ content: text })
    for (const [index, call] of calls.entries()) say({ tool_calls: [{ index, id: `c${index}`, function: call }] })
    response.write(toEvent({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } }))
    return response.end('data: [DONE]\n\n')
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: modelRequests,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
