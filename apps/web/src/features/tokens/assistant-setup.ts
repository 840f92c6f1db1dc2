export const ASSISTANTS = [
  { value: 'claude-code', label: 'Claude Code', place: 'Run in a terminal' },
  { value: 'cursor', label: 'Cursor', place: '~/.cursor/mcp.json' },
  { value: 'vs-code', label: 'VS Code', place: '.vscode/mcp.json' },
] as const
export type Assistant = (typeof ASSISTANTS)[number]['value']

export const TOKEN_PLACE = 'YOUR_TOKEN'

export const toMcpAddress = (account: string, workspace: string): string =>
  `${location.origin}/mcp/${account}/${workspace}`

export function buildSetup(assistant: Assistant, { address, token }: { address: string; token: string }): string {
  const authorization = `Bearer ${token}`
  if (assistant === 'claude-code') {
    return `claude mcp add --transport http trellis ${address} --header "Authorization: ${authorization}"`
  }
  const headers = { Authorization: authorization }
  const settings =
    assistant === 'cursor'
      ? { mcpServers: { trellis: { url: address, headers } } }
      : { servers: { trellis: { type: 'http', url: address, headers } } }
  return JSON.stringify(settings, null, 2)
}
