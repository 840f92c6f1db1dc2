import { ConsoleRequest } from '@trellis/contract/ai/console.endpoints'
import * as z from 'zod/mini'

type Tools = ConsoleRequest['tools']

export function parseTools(text: string): { tools: Tools; problem: string | null } {
  if (text.trim() === '') return { tools: [], problem: null }
  try {
    const read = z.safeParse(ConsoleRequest.shape.tools, JSON.parse(text))
    if (read.success) return { tools: read.data, problem: null }
    return { tools: [], problem: read.error.issues[0]?.message ?? 'This is not a list of tools.' }
  } catch {
    return { tools: [], problem: 'This is not JSON. Write a list such as [{"name": "look_up"}].' }
  }
}
