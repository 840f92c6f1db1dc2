import type { FakeWorld } from './fake-world.ts'

export interface Input {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

export type Handler = (world: FakeWorld, input: Input) => unknown
